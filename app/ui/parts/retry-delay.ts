import { paths } from "#app/paths.ts";

/** From the specification. */
export const MAX_RETRIES = 10;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;

/** Exponential backoff with jitter, after the server's Retry-After. */
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
 * Called before a reload, because the router replaces a page whose data cannot be loaded with its error page. Resolves early,
 * without an error, when `signal` aborts.
 */
export async function untilSiteAnswers(signal: AbortSignal): Promise<void> {
  for (let retry = 0; !signal.aborted; retry += 1) {
    const answer = await fetch(paths.readyz(), {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    }).catch(() => null);
    // A proxy that hides this address answers for the site, but the limit of connections covers the whole site.
    if (answer !== null && answer.status < 500 && answer.status !== 429) return;
    await pause(waitMs(retry, answer), signal);
  }
}
