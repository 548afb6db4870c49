/** From the specification. */
export const HEARTBEAT_SECONDS = 30;

/** A change that a browser learns of, never its content. "gap": changes may have been missed. */
export interface LiveEvent {
  kind: "progress" | "favorite" | "encoding" | "access" | "gap";
  mediaId?: string | undefined;
}

/**
 * Names of the server-sent events. "changed" has a LiveEvent. "heartbeat" is an event, since scripts do not see comments.
 * "ended": the session is over. "replaced": newer connections of this member have come instead.
 */
export type SentEventName = "changed" | "heartbeat" | "ended" | "replaced";
