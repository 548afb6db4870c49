import { once } from "node:events";
import type { ServerResponse } from "node:http";

declare global {
  /** Global, because a development reload copies the module. */
  var peonyOpenResponses: Map<string, ServerResponse> | undefined;
}

/** Remix hides Node's response from loaders, and ignores backpressure when it writes to it. */
function openResponses(): Map<string, ServerResponse> {
  globalThis.peonyOpenResponses ??= new Map();
  return globalThis.peonyOpenResponses;
}

export function registerResponse(requestId: string, response: ServerResponse): void {
  openResponses().set(requestId, response);
  response.once("close", () => openResponses().delete(requestId));
}

export function findOpenResponse(request: Request): ServerResponse | null {
  return openResponses().get(request.headers.get("x-request-id") ?? "") ?? null;
}

export async function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain) return;
  const controller = new AbortController();
  const { signal } = controller;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).catch(
    () => {},
  );
  controller.abort();
}
