import type { ServerResponse } from "node:http";
import type { Viewer } from "../session/viewer.server.ts";

/** The state of one request, from its first byte until its response has closed. */
export interface RequestContext {
  requestId: string;
  /** Remix hides it from loaders. */
  response: ServerResponse;
  /** Shared by the loaders of a page, each of which gets a Request of its own. */
  viewer: Promise<Viewer> | null;
  failedInOutage: boolean;
  /** How long the client may read nothing, where that exceeds one sweep of idle connections. */
  pauseMs: number | null;
}

declare global {
  /** Global, because a development reload copies the module. */
  var peonyRequests: Map<string, RequestContext> | undefined;
}

function requests(): Map<string, RequestContext> {
  globalThis.peonyRequests ??= new Map();
  return globalThis.peonyRequests;
}

export function openContext(requestId: string, response: ServerResponse): RequestContext {
  const context = { requestId, response, viewer: null, failedInOutage: false, pauseMs: null };
  requests().set(requestId, context);
  response.once("close", () => requests().delete(requestId));
  return context;
}

/** Null outside a server, and once the response has closed. */
export function contextOf(request: Request): RequestContext | null {
  return requests().get(request.headers.get("x-request-id") ?? "") ?? null;
}

export function openContexts(): Iterable<RequestContext> {
  return requests().values();
}
