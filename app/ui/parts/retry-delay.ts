import { paths } from "#app/paths.ts";

/** Set by the specification. */
export const MAX_RETRIES = 10;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;

/** Exponential backoff with jitter, and at least the server's Retry-After. */
export function waitMs(retry: number, response: Response | null): number {
  const requestedMs = Number(response?.headers.get("Retry-After") ?? 0) * 1000;
  const backOff = Math.min(FIRST_WAIT_MS * 2 ** retry, MAX_WAIT_MS);
  return (requestedMs || 0) + backOff * (0.5 + Math.random() / 2);
}

/** Resolves early, without an error, when `signal` aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}

const ANSWERS_WITHIN_MS = 10_000;

/**
 * Before a page is loaded again, because the router puts its error page in place of one whose data cannot be loaded. Resolves
 * early, without an error, when `signal` aborts.
 */
export async function untilSiteAnswers(signal: AbortSignal): Promise<void> {
  for (let retry = 0; !signal.aborted; retry += 1) {
    const answer = await fetch(paths.readyz(), {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    }).catch(() => null);
    // A proxy that hides this address from the public answers for the site, but the limit of connections holds for all of it.
    if (answer !== null && answer.status < 500 && answer.status !== 429) return;
    await pause(waitMs(retry, answer), signal);
  }
}
