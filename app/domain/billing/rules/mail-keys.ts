/** The starts of keys in `billing_mails` that SQL and TypeScript must write alike. Rows hold them, so they never change. */
export const MAIL_KEYS = {
  begun: "begun:",
  failed: "failed:",
  unbegun: "unbegun:",
  trialEnding: "trial-ending:",
  endingSoon: "ending-week:",
  endingNext: "ending-day:",
} as const;
