/** From the specification. */
export const MAX_RETRIES = 10;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** Ever longer and never in step with other browsers; at least as long as the server asked for. */
export function waitMs(retry: number, response: Response | null): number {
  const asked = Number(response?.headers.get("Retry-After") ?? 0) * 1000;
  const backOff = Math.min(FIRST_WAIT_MS * 2 ** retry, LONGEST_WAIT_MS);
  return (asked || 0) + backOff * (0.5 + Math.random() / 2);
}

/** Ends early, without an error, when `signal` aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
