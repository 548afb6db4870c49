import type { IncomingHttpHeaders } from "node:http";
import { config } from "#app/config.server.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Throws a 403 when another site makes this browser change something here. */
export function assertSameOrigin(request: Request): void {
  if (isForeignChange(request)) throw new Response("Request Failed", { status: 403 });
}

export function isForeignChange(request: Request): boolean {
  return !SAFE_METHODS.has(request.method) && !isSameOrigin(request);
}

/** For reads that no other site may embed or link to. */
export function isFromAnotherSite(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

/**
 * Leaves no Origin that Remix would compare with the host's name: it answers a difference with a 500 and a line in the
 * log, also to our own pages behind a proxy that renames the host. What the browser meant stays in Sec-Fetch-Site.
 */
export function settleOrigin(headers: IncomingHttpHeaders): void {
  const { origin } = headers;
  const host = headers["x-forwarded-host"]?.toString().split(",", 1)[0]?.trim() ?? headers.host;
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return;
  delete headers.origin;
  if (origin !== config.origin) headers["sec-fetch-site"] = "cross-site";
  else headers["sec-fetch-site"] ??= "same-origin";
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
