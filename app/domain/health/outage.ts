import { isDatabaseUnreachable, isStatementTimeout } from "#db/pool/unreachable.ts";

export const RETRY_AFTER_SECONDS = 5;

export function isOutage(error: unknown): boolean {
  return isDatabaseUnreachable(error) || isStatementTimeout(error);
}
