export interface LiveEvent {
  kind: "progress" | "favorite" | "encoding" | "access" | "gap";
  mediaId?: string | undefined;
}

/** In each web process; docs/limits.md gives the reason. */
export const MAX_LIVE_CONNECTIONS = 5_000;
/** Spreads browsers over seconds when all of them lose their process at once. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 10_000;

const encoder = new TextEncoder();

/** An event, since scripts do not see comments. */
export const heartbeat = encoder.encode("event: heartbeat\ndata: {}\n\n");

export function textOf({ kind, mediaId }: LiveEvent): Uint8Array {
  return encoder.encode(`event: changed\ndata: ${JSON.stringify({ kind, mediaId })}\n\n`);
}

/** "ended": the session is over. "replaced": newer connections of this member have come instead. */
export function endEvent(name: "ended" | "replaced"): Uint8Array {
  return encoder.encode(`event: ${name}\ndata: {}\n\n`);
}

/** Milliseconds after which the browser connects again. */
export function retryText(): Uint8Array {
  const ms = Math.round(MIN_RETRY_MS + Math.random() * (MAX_RETRY_MS - MIN_RETRY_MS));
  return encoder.encode(`retry: ${ms}\n\n`);
}
