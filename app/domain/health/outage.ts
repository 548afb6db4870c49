import { isDatabaseAway, isStatementTimeout } from "#db/pool/away.ts";

/** How soon whoever was refused may ask again. */
export const RETRY_AFTER_SECONDS = 5;

/** Whether `error` means that the database is away or overloaded: nothing is wrong with what was asked. */
export function isOutage(error: unknown): boolean {
  return isDatabaseAway(error) || isStatementTimeout(error);
}
