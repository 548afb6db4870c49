/** Streams of events of each web process. docs/limits.md gives the reasons for the figure. */
export const MAX_LIVE_STREAMS = 5_000;
