import { MissingObjectError, StorageUnavailableError } from "./storage.ts";

const MISSING = ["NoSuchKey", "NotFound"];
/** A viewer waits for the answer. */
const ANSWER_MS = 8_000;

export function inTime() {
  return { abortSignal: AbortSignal.timeout(ANSWER_MS) };
}

/** The error that the site's code knows: it names no key, because the log shows it. */
export function failureOf(error: unknown): Error {
  if (error instanceof MissingObjectError || error instanceof StorageUnavailableError) return error;
  const { name, code, $metadata } = error as NodeJS.ErrnoException & {
    $metadata?: { httpStatusCode?: number };
  };
  if (MISSING.includes(name)) return new MissingObjectError();
  const status = $metadata?.httpStatusCode === undefined ? "" : ` (${$metadata.httpStatusCode})`;
  return new StorageUnavailableError(
    `The object store does not answer as it should: ${code ?? name}${status}`,
    { cause: error },
  );
}

export async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw failureOf(error);
  }
}
