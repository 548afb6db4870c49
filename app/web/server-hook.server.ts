import { randomUUID } from "node:crypto";
import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { config } from "#app/config.server.ts";
import { drainOnSignal, noteRunning } from "./drain.server.ts";
import { answerOutages } from "./outage.server.ts";
import { rememberOutgoing } from "./outgoing.server.ts";
import { settleOrigin } from "./same-origin.server.ts";
import { CONSTANT_HEADERS } from "./security-headers.server.ts";
import { refuseUnreadable } from "./unreadable-request.server.ts";

const FORWARDED = ["x-forwarded-host", "x-forwarded-for", "x-forwarded-proto", "forwarded"];
const PUBLIC_FILE = /^\/[\w.-]+\.(?:png|ico|svg|txt|webmanifest)$/;

/** Who sends slower than this keeps a connection that others wait for. A picture of 5 MB takes a slow phone a minute. See docs/limits.md. */
const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 120_000;

type ServerSocket = Socket & { server?: Server };

/** The last answer that was begun on a connection. */
const newest = new WeakMap<Socket, ServerResponse>();

interface RequestStart {
  request: IncomingMessage;
  response: ServerResponse;
}

declare global {
  var peonyServerHook: boolean | undefined;
}

/**
 * remix-serve has no place for middleware; Node announces every request on this channel before remix-serve sees it.
 * Headers set here are on static files and errors too.
 */
export function installServerHook(): void {
  if (globalThis.peonyServerHook) return;
  globalThis.peonyServerHook = true;
  drainOnSignal();
  diagnostics.subscribe("net.server.socket", (message) => settleServer(message as { socket: ServerSocket }));
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { request, response } = message as RequestStart;
    newest.set(request.socket, response);
    settlePath(request);
    if (config.web.trustedProxies === 0) for (const name of FORWARDED) delete request.headers[name];
    settleOrigin(request.headers);
    // Always overwritten, so a loader may trust them.
    request.headers["x-peer-address"] = request.socket.remoteAddress ?? "";
    const requestId = randomUUID();
    request.headers["x-request-id"] = requestId;
    noteRunning(response);
    rememberOutgoing(requestId, response);
    answerOutages(requestId, response);
    for (const [name, value] of CONSTANT_HEADERS) response.setHeader(name, value);
    // remix-serve would call everything in build/client immutable for a year.
    if (PUBLIC_FILE.test(request.url ?? "")) response.setHeader("Cache-Control", "public, max-age=3600");
  });
}

/** What cannot be decoded gets our page for what is not there: remix-serve would answer with one of its own. */
function settlePath(request: IncomingMessage): void {
  try {
    decodeURIComponent((request.url ?? "/").split("?", 1)[0] ?? "/");
  } catch {
    request.url = "/not-an-address";
  }
}

/** remix-serve makes the server and keeps it to itself; the first connection leads to it. */
function settleServer({ socket: { server } }: { socket: ServerSocket }): void {
  if (!server || server.headersTimeout === HEADERS_WITHIN_MS) return;
  server.headersTimeout = HEADERS_WITHIN_MS;
  server.requestTimeout = REQUEST_WITHIN_MS;
  server.on("clientError", (error, socket) => {
    const response = newest.get(socket as Socket);
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    refuseUnreadable(error, socket as Socket, { isAnswering });
  });
}
