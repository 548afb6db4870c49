import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";

export interface RequestRefusal {
  status: number;
  sentence: string;
  headers?: (readonly [name: string, value: string])[];
}

/** From the first byte until the response has closed. */
export interface RequestContext {
  requestId: string;
  response: ServerResponse;
  /** Shared by the loaders of a page, each with a Request of its own. */
  viewer: Promise<Viewer> | null;
  /** Its form gets a field for a code when the sign-in is too old. */
  confirmsInForm: boolean;
  /** Sent instead of Remix's response. */
  refusal: RequestRefusal | null;
  failedInOutage: boolean;
  /** How long the client may read nothing. */
  pauseMs: number | null;
}

/** Browsers pipeline no requests. A single packet could hold thousands. */
export const MAX_PIPELINED = 8;

declare global {
  /** Global, because a reload in development copies the module. */
  var peonyRequests: Map<string, RequestContext> | undefined;
}

const bySocket = new WeakMap<Socket, Set<RequestContext>>();

function requests(): Map<string, RequestContext> {
  globalThis.peonyRequests ??= new Map();
  return globalThis.peonyRequests;
}

/** Null when the connection has ended or has too many pipelined requests. */
export function openContext(
  requestId: string,
  { socket }: IncomingMessage,
  response: ServerResponse,
): RequestContext | null {
  const ofSocket = bySocket.get(socket) ?? watch(socket);
  if (ofSocket.size >= MAX_PIPELINED) socket.destroy();
  if (socket.destroyed) return null;
  const context: RequestContext = {
    ...{ requestId, response, viewer: null, confirmsInForm: false },
    ...{ refusal: null, failedInOutage: false, pauseMs: null },
  };
  requests().set(requestId, context);
  ofSocket.add(context);
  response.once("close", () => {
    requests().delete(requestId);
    ofSocket.delete(context);
  });
  return context;
}

/** Node closes only the response whose turn it is, not those behind it. */
function watch(socket: Socket): Set<RequestContext> {
  const ofSocket = new Set<RequestContext>();
  bySocket.set(socket, ofSocket);
  const closeWaiting = () => {
    for (const { response } of ofSocket) {
      response.destroy();
      response.emit("close");
    }
  };
  // Node's own listener runs first.
  socket.once("close", () => setImmediate(closeWaiting));
  return ofSocket;
}

export function contextOf(request: Request): RequestContext | null {
  return requests().get(request.headers.get("x-request-id") ?? "") ?? null;
}

export function newestContext(socket: Socket): RequestContext | null {
  return [...(bySocket.get(socket) ?? [])].at(-1) ?? null;
}

export function openContexts(): Iterable<RequestContext> {
  return requests().values();
}
