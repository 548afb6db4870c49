import { MissingObjectError, StorageUnavailableError } from "./storage.ts";

/** A viewer waits for the answer. */
export const ANSWER_MS = 8_000;
/** Answers of a store that is well, about this site's settings or its room. */
const REFUSALS = [400, 401, 403, 404, 409, 412, 507];

/**
 * The error that the rest of the site knows. Its message names no key, because the log shows it. Only NoSuchKey says that
 * an object is missing: a proxy before the store answers 404 as well, and so does a bucket that is gone.
 */
export function failureOf(error: unknown): Error {
  if (error instanceof MissingObjectError || error instanceof StorageUnavailableError) return error;
  const { name, code, $metadata } = error as NodeJS.ErrnoException & {
    $metadata?: { httpStatusCode?: number; requestId?: string };
  };
  if (name === "NoSuchKey") return new MissingObjectError();
  // HEAD has no body to say it, so the store shows by its own header that it is the one who answers.
  if (name === "NotFound" && $metadata?.requestId !== undefined) return new MissingObjectError();
  const status = $metadata?.httpStatusCode;
  return new StorageUnavailableError(
    `The object store does not answer as it should: ${code ?? name}${status === undefined ? "" : ` (${status})`}`,
    { reason: code ?? name, isRefusal: status !== undefined && REFUSALS.includes(status) },
  );
}

/** Throws what failureOf() makes of an error. The signal ends the call, and nothing that streams after it. */
export async function inTime<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  ms = ANSWER_MS,
): Promise<Answer> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  try {
    return await call(controller.signal);
  } catch (error) {
    throw failureOf(error);
  } finally {
    clearTimeout(timer);
  }
}
