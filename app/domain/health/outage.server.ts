import { StorageUnavailableError } from "#app/domain/media/storage/storage.ts";
import { isDatabaseUnreachable, isStatementTimeout } from "#db/adapter/unreachable.ts";

/** Passes by itself, so that people are asked to try again. */
export function isOutage(error: unknown): boolean {
  return (
    isDatabaseUnreachable(error) || isStatementTimeout(error) || error instanceof StorageUnavailableError
  );
}
