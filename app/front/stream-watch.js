// Runs in nginx beside a video that it sends, and ends the connection when the viewer may no longer have it.
const TICK_MS = 500;
// With a slow answer and the wait for the next tick, a video ends within ten seconds of its access.
const CHECK_AFTER_MS = 5000;
const UNANSWERED_LIMIT_MS = 8000;
const CLIENT_CLOSED_REQUEST = 499;

function watch(r) {
  wait(r, Date.now(), 0);
}

function wait(r, allowedAt, sentThen) {
  setTimeout(tick, TICK_MS, r, allowedAt, sentThen);
}

function tick(r, allowedAt, sentThen) {
  const variables = r.variables;
  if (variables.request_completion === "OK" || variables.ended === "1") {
    r.return(204);
    return;
  }
  if (isYounger(allowedAt, CHECK_AFTER_MS)) {
    wait(r, allowedAt, sentThen);
    return;
  }
  const requestedAt = Date.now();
  const sent = Number(variables.bytes_sent);
  // A video that stands still gives its slot up, but not the question whether it may go on.
  const call = sent === sentThen ? "stream-check" : "stream";
  ngx
    .fetch(variables.site_address + variables.request_uri, { headers: headersOf(variables, call) })
    .then((answer) => {
      if (answer.status === 204) {
        if (call === "stream") variables.lease = answer.headers.get("X-Front-Lease") || "";
        wait(r, requestedAt, sent);
      } else if (answer.status === 403) end(r);
      else retry(r, allowedAt, sentThen);
    })
    .catch(() => retry(r, allowedAt, sentThen));
}

// A web process that is replaced answers again in a moment.
function retry(r, allowedAt, sentThen) {
  if (isYounger(allowedAt, UNANSWERED_LIMIT_MS)) wait(r, allowedAt, sentThen);
  else end(r);
}

// A clock that was set back makes nothing younger.
function isYounger(since, limitMs) {
  const age = Date.now() - since;
  return age >= 0 && age < limitMs;
}

// In this subrequest, nginx takes this status for the end of the whole request.
function end(r) {
  r.return(CLIENT_CLOSED_REQUEST);
}

function headersOf(variables, call) {
  const headers = {
    Host: variables.own_host,
    "X-Front-Key": variables.front_key,
    "X-Front-Peer": variables.remote_addr,
    "X-Front-Call": call,
  };
  const passed = {
    Cookie: variables.http_cookie,
    "X-Front-Lease": variables.lease,
    "X-Forwarded-For": variables.http_x_forwarded_for,
    "X-Forwarded-Host": variables.http_x_forwarded_host,
  };
  Object.keys(passed).forEach((name) => {
    if (passed[name]) headers[name] = passed[name];
  });
  return headers;
}

export default { watch };
