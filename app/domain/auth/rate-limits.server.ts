import { createHmac } from "node:crypto";
import { RateLimiterDrizzle, RateLimiterRes } from "rate-limiter-flexible";
import { config } from "#app/config.server.ts";
import { countDb } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";

/** How many points in how many seconds. Kept in Postgres: a restart forgives nobody. */
export const LIMITS = {
  mailByAddress: { points: 5, seconds: 3600 },
  mailByClient: { points: 10, seconds: 600 },
  mailByEverybody: { points: 300, seconds: 3600 },
  verifyByClient: { points: 20, seconds: 600 },
  searchByClient: { points: 10, seconds: 10 },
  writesByUser: { points: 60, seconds: 60 },
  // Each asks the payment provider.
  paymentsByUser: { points: 10, seconds: 600 },
  // The page looks again by itself, at first every few seconds.
  returnsByUser: { points: 20, seconds: 60 },
  rangesByViewer: { points: 60, seconds: 1 },
} as const;

export type LimitName = keyof typeof LIMITS;

/** Takes one point. Returns the seconds to wait when there was none left, else null. */
export async function takePoint(name: LimitName, key: string): Promise<number | null> {
  const { points, seconds } = LIMITS[name];
  const limiter = new RateLimiterDrizzle({
    storeClient: countDb,
    schema: rateLimits,
    keyPrefix: name,
    points,
    duration: seconds,
    clearExpiredByTimeout: false,
  });
  try {
    await limiter.consume(hashKey(key));
    return null;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}

/** Keyed: addresses are few enough to be guessed from a plain hash. */
function hashKey(key: string): string {
  return createHmac("sha256", config.session.secret).update(`limit:${key}`).digest("hex");
}
