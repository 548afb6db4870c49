import { config } from "#app/config.server.ts";
import { DOCTOR_HEADER, DOCTOR_KEY, type SeenRequest } from "#app/domain/health/doctor.server.ts";
import { FILE_LIMITS } from "#app/file-limits.ts";
import { paths } from "#app/paths.ts";
import { sizeText } from "#app/sizes.ts";
import { type Check, fix, ok } from "./check.ts";

const ADDRESS = "public address";
/** A profile picture, or a piece of an upload. Many proxies accept at most 1 MB. */
const USUAL_FORM = { path: paths.account(), bytes: FILE_LIMITS.picture, of: "a form of", advisedMb: 8 };
/** The files that an item's page accepts at once. The site answers somewhat larger ones with a sentence. */
const LARGEST_FORM = {
  path: paths.studioItem("0"),
  bytes: FILE_LIMITS.itemForm,
  of: "an item's photos of",
  advisedMb: 100,
};
/** A proxy may hold the whole form back before the site answers. */
const LARGEST_WITHIN_MS = 60_000;
/** A server that refuses a body may close the connection before it has received all of it. */
const CLOSED_EARLY = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

export function addressChecks(): Check[] {
  if (config.isDemo) return [];
  const notThere = `${config.origin} cannot be reached: check that its name points here, that the proxy is running, and that its certificate is valid`;
  return [
    { name: ADDRESS, run: checkAnswer, onFailure: notThere },
    { name: "cookies", run: checkCookies, onFailure: notThere, needs: ADDRESS },
    { name: "proxies", run: checkProxies, onFailure: notThere, needs: ADDRESS },
    // Last, because a server may close a connection with an unread form during the next request.
    {
      name: "large forms",
      run: checkLargeForms,
      onFailure: `Forms of up to ${sizeText(LARGEST_FORM.bytes)} do not arrive: check the proxy's limits on the size of a request and the time it may take`,
      withinMs: LARGEST_WITHIN_MS,
      needs: ADDRESS,
    },
  ];
}

async function checkAnswer() {
  const answer = await ask(paths.readyz());
  if (!isFromSite(answer))
    return fix(`Something else answers at ${config.origin}: point its name or its proxy to this site`);
  if (answer.status !== 200) return fix(`The site answers with status ${answer.status}: check its log`);
  return ok(`${config.origin} answers`);
}

async function checkCookies() {
  const answer = await ask(paths.enter(), {
    method: "POST",
    headers: { Origin: config.origin },
    body: new URLSearchParams({ next: paths.home() }),
  });
  const cookies = answer.headers.getSetCookie();
  if (cookies.length === 0) {
    return fix("No cookie arrives: make the proxy pass on Host, Origin and Set-Cookie unchanged");
  }
  const weak = cookies.filter(
    (cookie) => !/^__Host-/.test(cookie) || !/; *Secure/i.test(cookie) || !/; *HttpOnly/i.test(cookie),
  );
  if (weak.length > 0) return fix("Cookies arrive changed: stop the proxy from rewriting Set-Cookie");
  return ok("Secure, HttpOnly and bound to this host");
}

async function checkLargeForms() {
  for (const { path, bytes, of, advisedMb } of [USUAL_FORM, LARGEST_FORM]) {
    const below = path === LARGEST_FORM.path ? `, at least below ${paths.studioItem("")}` : "";
    const refused = `The proxy refuses ${of} ${sizeText(bytes)}: raise its limit to ${advisedMb} MB${below} (client_max_body_size in nginx; deploy/ has examples)`;
    if (!(await arrives(path, bytes))) return fix(refused);
  }
  return ok(`${sizeText(LARGEST_FORM.bytes)} arrives`);
}

async function arrives(path: string, bytes: number): Promise<boolean> {
  try {
    const answer = await ask(path, {
      method: "POST",
      headers: { Origin: config.origin, "Content-Type": "multipart/form-data; boundary=x" },
      body: new Uint8Array(bytes),
    });
    return isFromSite(answer);
  } catch (error) {
    const { code = "" } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (CLOSED_EARLY.includes(code)) return false;
    throw error;
  }
}

async function checkProxies() {
  const answer = await ask(paths.readyz(), { headers: { [DOCTOR_HEADER]: DOCTOR_KEY } });
  const text = answer.headers.get(DOCTOR_HEADER);
  if (text === null)
    return fix("The site that answers has another SESSION_SECRET: restart it with these settings");
  const { isForwarded, proxies, peer, isTrusted, unnamed } = JSON.parse(text) as SeenRequest;
  const { trustedProxies } = config.web;
  if (trustedProxies === 0) {
    if (!isForwarded) return ok("there is none, as TRUST_PROXY says");
    return fix(
      `There is a proxy in front of the site: set TRUST_PROXY=${peer || 1}, or all visitors share one limit`,
    );
  }
  if (!isForwarded) return fix("There is no proxy: set TRUST_PROXY=0, or visitors can forge their address");
  if (!isTrusted) {
    const named = typeof trustedProxies === "number" ? [peer] : [...trustedProxies, peer];
    return fix(
      `The proxy connects from ${peer}, which TRUST_PROXY does not name: set TRUST_PROXY=${named.join(",")}, or all visitors share one limit`,
    );
  }
  if (proxies === 0) {
    return fix(
      "The proxy sends no X-Forwarded-For: make it send one (deploy/ has examples), or all visitors share one limit",
    );
  }
  if (typeof trustedProxies !== "number") {
    if (unnamed === null) return ok("all are in the list of TRUST_PROXY");
    return fix(
      `Another proxy at ${unnamed} is not in the list: add it to TRUST_PROXY, or all visitors share one limit`,
    );
  }
  if (proxies === trustedProxies) return ok(`${proxies}, as TRUST_PROXY says`);
  return fix(`${proxies} proxies add an address to X-Forwarded-For: set TRUST_PROXY=${proxies}`);
}

/** A proxy that answers by itself sends none of the site's own headers. */
function isFromSite({ headers }: Response): boolean {
  return headers.has("Rating");
}

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(config.origin + path, { redirect: "manual", ...init });
}
