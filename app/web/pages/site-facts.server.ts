import { config } from "#app/config.server.ts";

export const siteFacts = {
  siteName: config.siteName,
  timeZone: config.timeZone,
  contactEmail: config.contactEmail,
  origin: config.origin,
  statement: config.billing.statement,
  hasTax: config.billing.hasTax,
  hasOutbox: config.mail.hasOutbox,
} as const;
