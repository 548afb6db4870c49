import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";

/** A response without Remix. */
export interface RequestRefusal {
  status: number;
  sentence: string;
  headers?: (readonly [name: string, value: string])[];
}

/** The state of one request, from its first byte until its response has closed. */
export interface RequestContext {
  requestId: string;
  /** Remix hides it from loaders. */
  response: ServerResponse;
  /** Shared by the loaders of a page, each of which gets a Request of its own. */
  viewer: Promise<Viewer> | null;
  /** Whether its form is answered with a field for a code, should the sign-in be too old for it. */
  confirmsInForm: boolean;
  /** Sent instead of Remix's response: the target cannot be read, or the address has too many connections. */
  refusal: RequestRefusal | null;
  failedInOutage: boolean;
  /** How long the client may read nothing, where that exceeds one sweep of stalled connections. */
  pauseMs: number | null;
}

/** Requests sent ahead on one connection. Browsers send none; a single packet could hold thousands. */
export const MAX_PIPELINED = 8;

declare global {
  /** Global, because a development reload copies the module. */
  var peonyRequests: Map<string, RequestContext> | undefined;
}

const bySocket = new WeakMap<Socket, Set<RequestContext>>();

function requests(): Map<string, RequestContext> {
  globalThis.peonyRequests ??= new Map();
  return globalThis.peonyRequests;
}

/** Null when the connection has ended, or is ended here for its number of pipelined requests. */
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

/** Node closes only the response that has its turn, not those that wait behind it. */
function watch(socket: Socket): Set<RequestContext> {
  const ofSocket = new Set<RequestContext>();
  bySocket.set(socket, ofSocket);
  const closeWaiting = () => {
    for (const { response } of ofSocket) {
      response.destroy();
      response.emit("close");
    }
  };
  // Node's own listener, which closes the response that has its turn, runs first.
  socket.once("close", () => setImmediate(closeWaiting));
  return ofSocket;
}

/** Null outside a server, and once the response has closed. */
export function contextOf(request: Request): RequestContext | null {
  return requests().get(request.headers.get("x-request-id") ?? "") ?? null;
}

/** The last request of a connection whose response is still open. */
export function newestContext(socket: Socket): RequestContext | null {
  return [...(bySocket.get(socket) ?? [])].at(-1) ?? null;
}

export function openContexts(): Iterable<RequestContext> {
  return requests().values();
}
