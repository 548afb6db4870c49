// Needed because remix-serve has no middleware: decision 090.

import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ServerBuild } from "@remix-run/node";
import { sendBeats } from "#app/domain/health/beats.server.ts";
import { DROPPED_BYTES } from "#app/web/forms/form-body.server.ts";
import { reportToPrimary } from "#app/web/metrics/all-processes.server.ts";
import { answerScrape } from "#app/web/metrics/scrape.server.ts";
import { stripFrontHeaders } from "#app/web/request/front-requests.server.ts";
import { newestContext, openContext } from "#app/web/request/request-context.server.ts";
import { refusalOfFlood } from "#app/web/request/search-floods.server.ts";
import { isPassedOn, stripForwarded } from "#app/web/request/trusted-proxies.server.ts";
import { admitConnection, countExchange } from "#app/web/server/connections.server.ts";
import { CONSTANT_HEADERS } from "#app/web/server/constant-headers.server.ts";
import { drainOnSignal, drainWith } from "#app/web/server/drain.server.ts";
import { BAD_METHOD, refuseConnection, sendRefusal } from "#app/web/server/refusal.server.ts";
import { logLibraryOutput, logRequest } from "#app/web/server/request-log.server.ts";
import { defaultCacheControl } from "#app/web/server/response-headers.server.ts";
import { refuseUnreadable } from "#app/web/server/unreadable-request.server.ts";
import { answerOutages } from "./outage-response.server.ts";
import { rewriteOrigin, rewritePath, rewriteTarget } from "./readable-request.server.ts";
import { lightenRemixServe, silenceRemixServe } from "./remix-serve.server.ts";

/** Slower senders hold connections that others need. A 5 MB picture takes a slow phone a minute: docs/limits.md. */
const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 120_000;

type ServerSocket = Socket & { server?: Server };

interface RequestStart {
  request: IncomingMessage;
  response: ServerResponse;
}

declare global {
  var peonyServerHook: boolean | undefined;
}

/** Node announces each request here, before remix-serve gets it. Only then may `build` be read. */
export function installServerHook(build: ServerBuild): void {
  if (globalThis.peonyServerHook) return;
  globalThis.peonyServerHook = true;
  drainOnSignal();
  reportToPrimary();
  // The development server compiles for longer.
  if (cluster.isWorker) sendBeats();
  silenceRemixServe();
  if (!import.meta.env.DEV) logLibraryOutput();
  diagnostics.subscribe("net.server.socket", (message) => {
    const { socket } = message as { socket: ServerSocket };
    configureServer(socket, build);
    admitConnection(socket);
  });
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { request, response } = message as RequestStart;
    const requestId = randomUUID();
    const context = openContext(requestId, request, response);
    if (context === null) return;
    const peer = stripFrontHeaders(request);
    // Behind a tunnel the peer is this machine, but the visitor is not.
    request.headers["x-unforwarded-peer"] = isPassedOn(request) ? "" : peer;
    stripForwarded(request.headers, peer);
    context.refusal = rewriteTarget(request);
    if (context.refusal === null) rewritePath(request, build.routes);
    rewriteOrigin(request.headers);
    // Always overwritten, so loaders may trust them.
    request.headers["x-peer-address"] = peer;
    request.headers["x-request-id"] = requestId;
    logRequest(requestId, request, response);
    countExchange(request, context);
    drainWith(response);
    readOnAfter(request, response);
    answerOutages(context);
    for (const [name, value] of CONSTANT_HEADERS) response.setHeader(name, value);
    defaultCacheControl(request.url ?? "/", response);
  });
}

/** remix-serve does not expose its server, but the first connection leads to it. */
function configureServer({ server }: ServerSocket, build: ServerBuild): void {
  if (!server || server.headersTimeout === HEADERS_WITHIN_MS) return;
  server.headersTimeout = HEADERS_WITHIN_MS;
  server.requestTimeout = REQUEST_WITHIN_MS;
  refuseBeforeRemix(server, build);
  // Without a listener the connection would end without a response.
  server.on("connect", (_request, socket) => {
    refuseConnection(socket as Socket, BAD_METHOD, { isSending: false });
  });
  server.on("clientError", (error, socket) => {
    // A second response would follow the one that has been sent.
    if (readingOn.has(socket as Socket)) return void socket.destroy();
    const response = newestContext(socket as Socket)?.response;
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    refuseUnreadable(error, socket as Socket, { isAnswering });
  });
}

/** Their response is sent, and their request still arrives. */
const readingOn = new WeakSet<Socket>();

/**
 * Remix stops reading a body that it does not need, and Node then closes the connection after five seconds, with the next
 * request unread: one in a hundred forms of 5 MB ended so.
 */
function readOnAfter(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    const { socket } = request;
    if (!request.complete) readingOn.add(socket);
    request.once("close", () => readingOn.delete(socket));
    let bytes = 0;
    request.removeAllListeners("data").on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > DROPPED_BYTES) socket.destroy();
    });
    request.resume();
  });
}

function refuseBeforeRemix(server: Server, build: ServerBuild): void {
  const listeners = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  if (!import.meta.env.DEV) for (const listener of listeners) lightenRemixServe(listener, build);
  server.on("request", (request, response) => {
    if (request.socket.destroyed) return;
    const refusal = newestContext(request.socket)?.refusal ?? refusalOfFlood(request);
    if (refusal) sendRefusal(response, refusal);
    else if (!answerScrape(request, response))
      for (const listener of listeners) listener.call(server, request, response);
  });
}
