import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import {
  createReadableStreamFromReadable,
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { ErrorIdContext } from "./web/error-id.tsx";
import { log } from "./web/log.server.ts";
import { NonceContext } from "./web/nonce.tsx";
import { noteOutage, outageResponseOf } from "./web/outage.server.ts";
import { withOutage } from "./web/outage-data.server.ts";
import { sharedPage } from "./web/page-memory.server.tsx";
import { contentSecurityPolicy } from "./web/security-headers.server.ts";
import { installServerHook } from "./web/server-hook.server.ts";
import { keepSessionAlive } from "./web/session-use.server.ts";

installServerHook();

export const streamTimeout = 5_000;

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
  if (wait !== null) headers.set("Retry-After", String(wait));
  const nonce = randomBytes(16).toString("base64");
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", contentSecurityPolicy(nonce));
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  const shared = await sharedPage(request, status, remixContext, nonce);
  if (shared !== null) {
    headers.set("Content-Encoding", "gzip");
    headers.append("Vary", "Accept-Encoding");
    return new Response(shared, { status, headers });
  }
  const readyEvent = isbot(request.headers.get("user-agent") ?? "") ? "onAllReady" : "onShellReady";

  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <ErrorIdContext.Provider value={errorId ?? undefined}>
          <RemixServer context={context} url={request.url} nonce={nonce} />
        </ErrorIdContext.Provider>
      </NonceContext.Provider>,
      {
        nonce,
        [readyEvent]() {
          const body = new PassThrough();
          resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
          pipe(body);
        },
        onShellError: reject,
        onError(error: unknown) {
          log.error({ requestId: request.headers.get("x-request-id"), err: error }, "render failed");
        },
      },
    );
    setTimeout(abort, streamTimeout + 1_000).unref();
  });
}

export const handleDataRequest: HandleDataRequestFunction = async (answer, { request }) => {
  const response = await withOutage(request, answer);
  await keepSessionAlive(request, response.headers);
  if (!response.headers.has("Cache-Control")) {
    response.headers.set("Cache-Control", dataLifetime(request, response.status));
  }
  // Who passes the gate, signs in or out or changes the colors is not given what was fetched before that.
  response.headers.append("Vary", "Cookie");
  return response;
};

/** What was asked for ahead of a click is of use only if it may be kept until then; a way to the gate or a refusal is not. */
function dataLifetime(request: Request, status: number): string {
  if (status !== 200) return "private, no-store";
  const purpose = request.headers.get("sec-purpose") ?? request.headers.get("purpose") ?? "";
  return purpose.startsWith("prefetch") ? "private, max-age=10" : "private, no-store";
}

export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  const requestId = request.headers.get("x-request-id");
  if (noteOutage(request, error)) log.warn({ requestId, err: error }, "the database is away");
  else log.error({ requestId, err: error }, "request failed");
};

/** The data for scripts is left out with them. */
function withoutScripts({ serverHandoffStream: _, ...context }: EntryContext): EntryContext {
  return context;
}

/** Remix has made "Unexpected Server Error" of whatever was thrown; the page has better words. */
function sayOutage(request: Request, { staticHandlerContext }: EntryContext): void {
  const outage = outageResponseOf(request);
  if (outage === null) return;
  for (const routeId of Object.keys(staticHandlerContext.errors ?? {})) {
    staticHandlerContext.errors = { ...staticHandlerContext.errors, [routeId]: outage };
  }
}

/** Remix drops the headers of what a handler throws; the seconds to wait are in its data too. */
function retryAfterSeconds({ staticHandlerContext }: EntryContext): number | null {
  const [error] = Object.values(staticHandlerContext.errors ?? {});
  const seconds: unknown = isRouteErrorResponse(error) ? error.data?.retryAfterSeconds : null;
  return typeof seconds === "number" ? seconds : null;
}
