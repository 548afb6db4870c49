import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as build from "virtual:remix/server-build";
import type { EntryContext, HandleDataRequestFunction, HandleErrorFunction } from "@remix-run/node";
import { isRouteErrorResponse } from "@remix-run/react";
import { outageResponseOf, recordOutage, withOutage } from "./adapters/outage-response.server.ts";
import { installServerHook } from "./adapters/server-hook.server.ts";
import { followSite, SETTINGS_UNREAD } from "./domain/site/site.server.ts";
import { log } from "./log.server.ts";
import { PREFETCH_LIFETIME_SECONDS } from "./ui/navigation/prefetch-lifetime.ts";
import { sharedPage } from "./web/pages/page-cache.server.tsx";
import { renderPage } from "./web/pages/render-page.server.tsx";
import { setRetryAfter } from "./web/request/retry-after.ts";
import { contentSecurityPolicy } from "./web/server/response-headers.server.ts";
import { keepSessionAlive } from "./web/session/keep-session-alive.server.ts";

/** Without its database a process starts with what it has, and reads the settings later. */
const SETTINGS_WITHIN_MS = 2_000;

installServerHook(build);
await followSite(SETTINGS_WITHIN_MS, (error) => log.warn({ err: error }, SETTINGS_UNREAD));

/** A list takes 0.17 ms instead of 0.61 at level 6, for 7% more bytes. */
const GZIP_LEVEL = 2;
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
): Promise<Response> {
  await keepSessionAlive(request, headers);
  sayOutage(request, remixContext);
  const errorId = remixContext.staticHandlerContext.errors ? request.headers.get("x-request-id") : null;
  const context = errorId === null ? remixContext : withoutScripts(remixContext);
  const wait = retryAfterSeconds(remixContext);
  if (wait !== null) setRetryAfter(headers, wait);
  const nonce = randomBytes(16).toString("base64");
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  const page = { url: request.url, context, nonce, errorId: errorId ?? undefined };
  const html = (await sharedPage(request, status, remixContext, nonce)) ?? (await renderPage(page));
  const takesGzip = TAKES_GZIP.test(request.headers.get("accept-encoding") ?? "");
  const body = takesGzip ? gzipSync(html, { level: GZIP_LEVEL }) : Buffer.from(html);
  if (takesGzip) headers.set("Content-Encoding", "gzip");
  headers.append("Vary", "Accept-Encoding");
  headers.set("Content-Length", String(body.byteLength));
  return new Response(body, { status, headers });
}

export const handleDataRequest: HandleDataRequestFunction = async (answer, { request }) => {
  const response = await withOutage(request, answer);
  await keepSessionAlive(request, response.headers);
  if (response.status === 200 && isPrefetch(request) && !response.headers.has("Cache-Control")) {
    response.headers.set("Cache-Control", `private, max-age=${PREFETCH_LIFETIME_SECONDS}`);
  }
  // Data from before the age gate, a sign-in, a sign-out or a change of colors must not be reused.
  response.headers.append("Vary", "Cookie");
  return response;
};

/** Prefetched data is useful only if it is kept until the click. */
function isPrefetch({ headers }: Request): boolean {
  return (headers.get("sec-purpose") ?? headers.get("purpose") ?? "").startsWith("prefetch");
}

export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  const requestId = request.headers.get("x-request-id");
  if (recordOutage(request, error)) log.warn({ requestId, err: error }, "the database is unreachable");
  else log.error({ requestId, err: error }, "request failed");
};

function withoutScripts({ serverHandoffStream: _, ...context }: EntryContext): EntryContext {
  return context;
}

/** Replaces the "Unexpected Server Error" that Remix makes of every thrown error. */
function sayOutage(request: Request, { staticHandlerContext }: EntryContext): void {
  const outage = outageResponseOf(request);
  if (outage === null) return;
  for (const routeId of Object.keys(staticHandlerContext.errors ?? {})) {
    staticHandlerContext.errors = { ...staticHandlerContext.errors, [routeId]: outage };
  }
}

/** Remix drops the headers of a thrown response, but its data has the seconds too. */
function retryAfterSeconds({ staticHandlerContext }: EntryContext): number | null {
  const [error] = Object.values(staticHandlerContext.errors ?? {});
  const seconds: unknown = isRouteErrorResponse(error) ? error.data?.retryAfterSeconds : null;
  return typeof seconds === "number" ? seconds : null;
}
