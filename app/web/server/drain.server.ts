import type { ServerResponse } from "node:http";

/** A running video would hold the process for hours; its player reconnects to the next process. */
const DRAIN_LIMIT_MS = 8_000;

/** Global, because a development reload copies the module. */
declare global {
  var peonyRunning: { responses: Set<ServerResponse>; isDraining: boolean } | undefined;
}

function running() {
  globalThis.peonyRunning ??= { responses: new Set(), isDraining: false };
  return globalThis.peonyRunning;
}

export function noteRunning(response: ServerResponse): void {
  const { responses, isDraining } = running();
  responses.add(response);
  if (isDraining) response.setHeader("Connection", "close");
  response.once("close", () => {
    responses.delete(response);
    endWhenIdle();
  });
}

/** After SIGTERM open database connections would keep the process alive, so it is ended here. */
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
  // Waits one turn, so that the socket's buffer is sent first.
  if (isDraining && responses.size === 0) setImmediate(() => process.exit(0));
}
