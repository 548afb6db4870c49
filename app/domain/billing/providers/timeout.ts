// Needed because one request to a provider may take 24 s with its retries, and a page makes several: decision 083.
import { ProviderUnreachable } from "./contract/provider.ts";

export const PROVIDER_TIMEOUT_MS = 10_000;

/** Rejects with ProviderUnreachable when the work takes too long. The work goes on; the next try finds its result. */
export async function withTimeout<Answer>(
  work: Promise<Answer>,
  timeoutMs = PROVIDER_TIMEOUT_MS,
): Promise<Answer> {
  // After the timeout nobody handles a failure.
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ProviderUnreachable("The payment provider took too long to answer.")),
      timeoutMs,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Waits for `work`. True when it rejects with ProviderUnreachable; rejects with any other error. */
export function isUnreachable(work: Promise<unknown>): Promise<boolean> {
  const answered = work.then(() => false);
  return unlessUnreachable(answered, true);
}

export async function unlessUnreachable<Answer, const Otherwise>(
  work: Promise<Answer>,
  otherwise: Otherwise,
): Promise<Answer | Otherwise> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ProviderUnreachable) return otherwise;
    throw error;
  }
}
