import type { Answer, Call } from "../../stand-in/call.ts";
import type { Failures } from "../../stand-in/failures.ts";
import { matchPath } from "../../stand-in/match-path.ts";
import { API_ROUTES } from "../api/routes.ts";
import { parseForm } from "../http/params.ts";
import type { Account } from "../state/account.ts";
import { Fault } from "../state/fault.ts";
import { newId } from "../state/ids.ts";
import { expand } from "./expand.ts";
import { fingerprintOf, keepAnswer, keptAnswer, type RunningKeys, takeKey } from "./idempotency.ts";

interface ApiRequest {
  method: string;
  path: string;
  query: string;
  body: string;
  authorization: string;
  idempotencyKey: string | null;
}

interface Api {
  secretKey: string;
  failures: Failures;
  running: RunningKeys;
}

export async function answerApi(account: Account, call: Call, api: Api): Promise<Answer> {
  const request = requestOf(call);
  const requestId = newId("req");
  const { method, path, body, idempotencyKey } = request;
  const key = method === "POST" ? idempotencyKey : null;
  const fingerprint = fingerprintOf(method, path, body);
  try {
    requireKey(request.authorization, api.secretKey);
    const answerInTime = (once: Once | null) =>
      api.failures.around(
        request,
        () => answerOnce(account, request, { requestId, once }),
        ({ status }) => faultAnswer(brokenDown(status), requestId),
      );
    if (key === null) return await answerInTime(null);
    takeKey(api.running, key, fingerprint);
    try {
      return await answerInTime({ key, fingerprint });
    } finally {
      api.running.delete(key);
    }
  } catch (error) {
    if (error instanceof Fault) return faultAnswer(error, requestId);
    throw error;
  }
}

function requestOf({ query, headers, ...call }: Call): ApiRequest {
  const key = headers["idempotency-key"];
  return {
    ...call,
    query: query.toString(),
    authorization: headers.authorization ?? "",
    idempotencyKey: typeof key === "string" && key !== "" ? key : null,
  };
}

interface Once {
  key: string;
  fingerprint: string;
}

interface Answering {
  requestId: string;
  /** Null when the request may be repeated. */
  once: Once | null;
}

function answerOnce(account: Account, request: ApiRequest, { requestId, once }: Answering): Answer {
  const kept = once && keptAnswer(account, once.key, once.fingerprint);
  if (kept) return answerOf(kept.status, kept.body, requestId, { "idempotent-replayed": "true" });
  account.request = { id: requestId, idempotency_key: request.idempotencyKey };
  try {
    const { status, body, isKept } = perform(account, request);
    if (once && isKept) {
      const { key, fingerprint } = once;
      keepAnswer(account, key, { fingerprint, status, body, at: Math.floor(Date.now() / 1000) });
    }
    return answerOf(status, body, requestId);
  } finally {
    account.request = { id: null, idempotency_key: null };
  }
}

/** Invalid parameters are not stored with the key, because nothing was done; a card's decline is. */
function perform(account: Account, request: ApiRequest): { status: number; body: string; isKept: boolean } {
  const { expand: paths = [], ...params } = parseForm(
    [request.query, request.body].filter(Boolean).join("&"),
  );
  const found = matchPath(API_ROUTES, request.method, request.path);
  if (!found) throw unknownPath(request);
  try {
    const answer = found.route.run({ account, id: found.id, params });
    const expanded = expand(account, answer, Array.isArray(paths) ? paths.map(String) : []);
    account.changed();
    return { status: 200, body: JSON.stringify(expanded), isKept: true };
  } catch (error) {
    if (!(error instanceof Fault) || error.status !== 402) throw error;
    account.changed();
    return { status: error.status, body: JSON.stringify({ error: error.error }), isKept: true };
  }
}

function requireKey(authorization: string, secretKey: string): void {
  if (authorization === `Bearer ${secretKey}`) return;
  throw new Fault(401, {
    type: "invalid_request_error",
    message: authorization
      ? "Invalid API Key provided."
      : "You did not provide an API key. Provide your API key in the Authorization header, using Bearer auth.",
  });
}

function unknownPath({ method, path }: ApiRequest): Fault {
  return new Fault(404, {
    type: "invalid_request_error",
    message: `Unrecognized request URL (${method}: ${path}). The stand-in does not know it.`,
  });
}

function brokenDown(status: number): Fault {
  return new Fault(status, {
    type: status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "api_error",
    message: "The stand-in fails, as it was asked to.",
  });
}

function faultAnswer(fault: Fault, requestId: string): Answer {
  return answerOf(fault.status, JSON.stringify({ error: fault.error }), requestId);
}

function answerOf(
  status: number,
  body: string,
  requestId: string,
  more: Record<string, string> = {},
): Answer {
  return {
    status,
    body,
    headers: { "content-type": "application/json", "request-id": requestId, ...more },
  };
}
