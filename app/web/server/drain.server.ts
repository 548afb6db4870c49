// Needed because a response that runs for hours holds a stopping process for hours, and a closed port loses forms: decision 115.
import type { ServerResponse } from "node:http";
import { config } from "#app/config.server.ts";
import { openContexts } from "../request/request-context.server.ts";

/** A player reconnects to the next process. */
const DRAIN_LIMIT_MS = 8_000;

let isDraining = false;
let hasBeenAnnounced = false;
const atDrain = new Set<() => void>();

/** True from the announcement on, so that a proxy sends its requests to another process. */
export function isAboutToStop(): boolean {
  return hasBeenAnnounced;
}

export function onDrain(end: () => void): void {
  atDrain.add(end);
}

/** Call it after the response's context was opened: their close listeners run in this order. */
export function drainWith(response: ServerResponse): void {
  if (isDraining) response.setHeader("Connection", "close");
  response.once("close", endWhenIdle);
}

/** Open database connections would keep the process alive after SIGTERM. */
export function drainOnSignal(): void {
  process.once("SIGUSR2", () => {
    hasBeenAnnounced = true;
    // nginx waits for long responses before this process gets SIGTERM.
    setTimeout(endLongResponses, config.web.drainSeconds * 1000).unref();
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      hasBeenAnnounced = true;
      isDraining = true;
      endLongResponses();
      for (const { response } of openContexts()) {
        if (!response.headersSent) response.setHeader("Connection", "close");
      }
      setTimeout(() => process.exit(0), DRAIN_LIMIT_MS).unref();
      endWhenIdle();
    });
  }
}

function endLongResponses(): void {
  for (const end of atDrain) end();
  atDrain.clear();
}

function endWhenIdle(): void {
  const [first] = openContexts();
  // One turn later, so that the socket's buffer is sent first.
  if (isDraining && first === undefined) setImmediate(() => process.exit(0));
}
