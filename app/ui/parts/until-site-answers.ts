// Needed because the router puts its error page in place of a page whose data could not be loaded again.
import { paths } from "#app/paths.ts";
import { pause, waitMs } from "./retry-delay.ts";

const ANSWERS_WITHIN_MS = 10_000;

/** Resolves early, without an error, when `signal` aborts. */
export async function untilSiteAnswers(signal: AbortSignal): Promise<void> {
  for (let retry = 0; !signal.aborted; retry += 1) {
    const answer = await fetch(paths.readyz(), {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    }).catch(() => null);
    // A proxy that hides this address from the public answers for the site.
    if (answer !== null && answer.status < 500) return;
    await pause(waitMs(retry, answer), signal);
  }
}
