import { config } from "#app/config.server.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export function assertSameOrigin(request: Request): void {
  if (isCrossOriginChange(request)) throw new Response("Request Failed", { status: 403 });
}

export function isSafe(request: Request): boolean {
  return SAFE_METHODS.has(request.method);
}

export function isCrossOriginChange(request: Request): boolean {
  return !isSafe(request) && !isSameOrigin(request);
}

/** For reads that other sites may neither embed nor link to. */
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

/** The demo answers on localhost, 127.0.0.1 and the machine's own name alike. */
function hostOrigin(request: Request): string {
  return `http://${request.headers.get("host")}`;
}
