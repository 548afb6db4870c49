/** Never the content of a change. "gap": changes may have been missed. */
export interface LiveEvent {
  kind: "progress" | "favorite" | "encoding" | "access" | "gap";
  mediaId?: string | undefined;
}

/** "changed" has a LiveEvent. Scripts do not see comments, so "heartbeat" is an event. "ended": the session is over. */
export type SentEventName = "changed" | "heartbeat" | "ended" | "replaced";
