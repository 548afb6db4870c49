import type { LiveEvent, SentEventName } from "#app/live-events.ts";

/** Per web process: docs/limits.md. */
export const MAX_LIVE_CONNECTIONS = 5_000;
/** Spreads the browsers of a process that ends over some seconds. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 10_000;

const encoder = new TextEncoder();

export const heartbeat = eventText("heartbeat");

export function textOf({ kind, mediaId }: LiveEvent): Uint8Array {
  return eventText("changed", { kind, mediaId });
}

export function endEvent(name: "ended" | "replaced"): Uint8Array {
  return eventText(name);
}

export function retryText(): Uint8Array {
  const ms = Math.round(MIN_RETRY_MS + Math.random() * (MAX_RETRY_MS - MIN_RETRY_MS));
  return encoder.encode(`retry: ${ms}\n\n`);
}

function eventText(name: SentEventName, data: Partial<LiveEvent> = {}): Uint8Array {
  return encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}
