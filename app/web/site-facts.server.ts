import { config } from "#app/config.server.ts";

/** What pages tell of the site itself. */
export const siteFacts = {
  siteName: config.siteName,
  origin: config.origin,
  hasOutbox: config.mail.hasOutbox,
} as const;
