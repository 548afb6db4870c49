import { config } from "#app/config.server.ts";

/** What pages tell of the site itself. */
export const siteFacts = {
  siteName: config.siteName,
  origin: config.origin,
  /** How a charge reads on a statement; null when the host has not said so. */
  statement: config.billing.statement,
  /** Whether tax is added to what is listed. */
  hasTax: config.billing.hasTax,
  hasOutbox: config.mail.hasOutbox,
} as const;
