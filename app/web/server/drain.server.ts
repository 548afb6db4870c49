// Needed because a response that runs for hours holds a stopping process for hours, and a closed port loses forms: decision 115.
import type { ServerResponse } from "node:http";
import { config } from "#app/config.server.ts";
import { openContexts } from "../request/request-context.server.ts";

/** A running video would hold the process for hours; its player reconnects to the next process. */
const DRAIN_LIMIT_MS = 8_000;

let isDraining = false;
let hasBeenAnnounced = false;
const atDrain = new Set<() => void>();

/** True from the announcement of the end on, so that a proxy sends its requests to another process. */
export function isAboutToStop(): boolean {
  return hasBeenAnnounced;
}

/** For responses that would go on for hours. */
export function onDrain(end: () => void): void {
  atDrain.add(end);
}

/** Called after the response's context was opened, so that it is no longer among the open ones when it closes. */
export function drainWith(response: ServerResponse): void {
  if (isDraining) response.setHeader("Connection", "close");
  response.once("close", endWhenIdle);
}

/** After SIGTERM open database connections would keep the process alive, so it is ended here. */
export function drainOnSignal(): void {
  process.once("SIGUSR2", () => {
    hasBeenAnnounced = true;
    // nginx waits for long responses before this process gets SIGTERM; a balancer sends new ones here until it has left.
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
  // Waits one turn, so that the socket's buffer is sent first.
  if (isDraining && first === undefined) setImmediate(() => process.exit(0));
}
