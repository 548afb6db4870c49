import { isDatabaseUnreachable, isStatementTimeout } from "#db/adapter/unreachable.ts";

export const RETRY_AFTER_SECONDS = 5;

export function isOutage(error: unknown): boolean {
  return isDatabaseUnreachable(error) || isStatementTimeout(error);
}
