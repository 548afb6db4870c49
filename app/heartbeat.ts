/** How often the live connection sends one. From the specification. */
export const HEARTBEAT_SECONDS = 30;
