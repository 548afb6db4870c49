import { isLocalHost } from "#app/config/addresses.ts";
import { config } from "#app/config.server.ts";

const SAFE_METHODS = new Set(["GET", "HEAD"]);
/** Health probes may use any hostname. */
const PROBES = new Set(["/healthz", "/readyz"]);
const OWN = new URL(config.origin);

export function requireSameOrigin(request: Request): void {
  if (isCrossOriginChange(request)) throw new Response("Request Failed", { status: 403 });
}

export function isSafe(request: Request): boolean {
  return SAFE_METHODS.has(request.method);
}

export function isCrossOriginChange(request: Request): boolean {
  return !isSafe(request) && !isSameOrigin(request);
}

export function isFromAnotherSite(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const origin = request.headers.get("origin");
  return origin !== null && (origin === config.origin || (config.isDemo && origin === hostOrigin(request)));
}

/** The demo answers to localhost, 127.0.0.1 and the machine's own name. */
function hostOrigin(request: Request): string {
  return `http://${request.headers.get("host")}`;
}

/** Throws a 421 for another name of a hosted site, or a name of a demo that is not this machine's. */
export function requireKnownHost(request: Request): void {
  if (PROBES.has(new URL(request.url).pathname)) return;
  const host = requestedHost(request.headers);
  if (config.isDemo ? isLocalHost(host) : isOwnHost(host)) return;
  throw new Response("Request Failed", { status: 421 });
}

/** Through URL, so that case and the default port do not matter. */
function isOwnHost(host: string): boolean {
  const requested = `${OWN.protocol}//${host}`;
  return URL.canParse(requested) && new URL(requested).origin === OWN.origin;
}

/** Proxies that rewrite Host send the original one in a header, which the server hook removes when no proxy is trusted. */
export function requestedHost(headers: Headers): string {
  const forwarded = headers.get("x-forwarded-host")?.split(",") ?? [];
  const { trustedProxies } = config.web;
  return (
    forwarded.at(typeof trustedProxies === "number" ? -trustedProxies : -1) ??
    headers.get("host") ??
    ""
  ).trim();
}
