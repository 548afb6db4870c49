import { type Site, startSite } from "./site.ts";

/** How many seconds of the site's timers pass in a second. */
export const CLOCK_SPEED = 10;
/** A change takes a second on a busy machine, and a person waits ten for the provider. */
const PROVIDER_SPEED = 3;
const FAST_CLOCK = new URL("./process/fast-clock.mjs", import.meta.url).href;

/**
 * The promises that a moved clock may prove: each rests on the timers and performance.now() of the site's processes
 * alone. Not moved, and so no proof here: nginx, PostgreSQL's now(), Date, timers/promises, and Node's own timeouts of
 * a request's head, of a whole request and of an idle connection.
 */
export type MovedPromise =
  // Heartbeats, and the checks of their sessions and access.
  | "live connections"
  // The checks of their access and slot, which this process sends itself.
  | "running videos"
  // The sweeps that close what stands still.
  | "slow clients"
  // The deadlines, and the waits of the SDK between its attempts.
  | "the payment provider";

/** For the environment of a site, also of one behind nginx or with a stand-in for its payment provider. */
export function movedClock(promise: MovedPromise): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${FAST_CLOCK}`,
    CLOCK_SPEED: String(promise === "the payment provider" ? PROVIDER_SPEED : CLOCK_SPEED),
    // The pool's timers run faster as well: six seconds, on a machine that is busy with other tests.
    DATABASE_TIMEOUT_MS: "60000",
  };
}

/** A site whose clock is moved for this promise. */
export function startFastSite(
  promise: MovedPromise,
  options: NonNullable<Parameters<typeof startSite>[0]> = {},
): Promise<Site> {
  return startSite({ ...options, env: { ...movedClock(promise), ...options.env } });
}
