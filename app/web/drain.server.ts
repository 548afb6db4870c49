import type { ServerResponse } from "node:http";

/** A film that somebody watches would hold the process for hours: its player asks again, of the next process. */
const DRAIN_LIMIT_MS = 8_000;

/** On the process: a reload in development makes a second copy of the module. */
declare global {
  var peonyRunning: { responses: Set<ServerResponse>; isDraining: boolean } | undefined;
}

function running() {
  globalThis.peonyRunning ??= { responses: new Set(), isDraining: false };
  return globalThis.peonyRunning;
}

/** Called at the start of every response. */
export function noteRunning(response: ServerResponse): void {
  const { responses, isDraining } = running();
  responses.add(response);
  if (isDraining) response.setHeader("Connection", "close");
  response.once("close", () => {
    responses.delete(response);
    endWhenIdle();
  });
}

/**
 * On SIGTERM remix-serve stops listening, but the process would stay as long as the database's connections are open. It
 * ends once every answer is out, and in any case in time.
 */
export function drainOnSignal(): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      running().isDraining = true;
      for (const response of running().responses) {
        if (!response.headersSent) response.setHeader("Connection", "close");
      }
      setTimeout(() => process.exit(0), DRAIN_LIMIT_MS).unref();
      endWhenIdle();
    });
  }
}

function endWhenIdle(): void {
  const { responses, isDraining } = running();
  // One turn later: what the socket still holds goes out first.
  if (isDraining && responses.size === 0) setImmediate(() => process.exit(0));
}
