import { once } from "node:events";
import type { ServerResponse } from "node:http";

declare global {
  /** On the process, not in this module: a reload in development makes a second copy of the module. */
  var peonyOutgoing: Map<string, ServerResponse> | undefined;
}

/** Remix hides Node's response from loaders, and writes to it without asking whether it is full. */
function outgoing(): Map<string, ServerResponse> {
  globalThis.peonyOutgoing ??= new Map();
  return globalThis.peonyOutgoing;
}

export function rememberOutgoing(requestId: string, response: ServerResponse): void {
  outgoing().set(requestId, response);
  response.once("close", () => outgoing().delete(requestId));
}

export function findOutgoing(request: Request): ServerResponse | null {
  return outgoing().get(request.headers.get("x-request-id") ?? "") ?? null;
}

/** Resolves when more may be written, or when nobody listens any longer or has not for `limitMs`. */
export async function drained(response: ServerResponse, limitMs: number): Promise<void> {
  if (!response.writableNeedDrain) return;
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => response.destroy(), limitMs);
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).catch(
    () => {},
  );
  clearTimeout(timer);
  controller.abort();
}
