import { RateLimiterDrizzle, RateLimiterRes } from "rate-limiter-flexible";
import { keyedHashes } from "#app/domain/keys/keys.server.ts";
import { countDb } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";

/** Stored in Postgres, so that a restart resets nothing. */
export const LIMITS = {
  mailByAddress: { points: 5, seconds: 3600 },
  // As many as a mobile network or an office puts behind one address.
  mailByClient: { points: 60, seconds: 600 },
  mailByNet56: { points: 120, seconds: 600 },
  mailByNet48: { points: 240, seconds: 600 },
  // With those of the reserve, 300 emails an hour.
  mailByEverybody: { points: 200, seconds: 3600 },
  // A quarter of those, for a /24 of IPv4 or a /48 of IPv6.
  mailByNetwork: { points: 50, seconds: 3600 },
  mailFromReserve: { points: 100, seconds: 3600 },
  mailByKnownBrowser: { points: 5, seconds: 3600 },
  verifyByClient: { points: 120, seconds: 600 },
  verifyByNet56: { points: 240, seconds: 600 },
  verifyByNet48: { points: 480, seconds: 600 },
  searchByClient: { points: 10, seconds: 10 },
  writesByUser: { points: 60, seconds: 60 },
  // 100 MB a second, in pieces of 5 MB.
  piecesByUser: { points: 1_200, seconds: 60 },
  // A photo counts as looked at after 0.7 seconds, and every seek of a video is saved.
  progressByUser: { points: 120, seconds: 60 },
  alarmTestsByUser: { points: 5, seconds: 3600 },
  // Each starts a program that unpacks up to 100 MB.
  picturesByUser: { points: 10, seconds: 600 },
  itemFilesByUser: { points: 60, seconds: 600 },
  paymentsByUser: { points: 10, seconds: 600 },
  // The page reloads itself, at first every few seconds.
  returnsByUser: { points: 20, seconds: 60 },
  rangesByViewer: { points: 60, seconds: 1 },
  // Refuses nothing: it counts for an alarm.
  refusedEvents: { points: 1_000, seconds: 86_400 },
} as const;

export type LimitName = keyof typeof LIMITS;

/** Returns null, or the seconds to wait when no point is left. */
export async function takePoint(name: LimitName, key: string, points = 1): Promise<number | null> {
  try {
    await limiters[name].consume(hashKey(key), points);
    return null;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}

/** Null when no point was taken within the limit's time. */
export async function readTaken(name: LimitName, key: string) {
  const taken = await limiters[name].get(hashKey(key));
  if (taken === null) return null;
  return { points: taken.consumedPoints, forSeconds: LIMITS[name].seconds - taken.msBeforeNext / 1000 };
}

const limiters = Object.fromEntries(
  Object.entries(LIMITS).map(([keyPrefix, { points, seconds: duration }]) => {
    const table = { storeClient: countDb, schema: rateLimits, clearExpiredByTimeout: false };
    return [keyPrefix, new RateLimiterDrizzle({ ...table, keyPrefix, points, duration })];
  }),
) as Record<LimitName, RateLimiterDrizzle>;

/** Keyed with the newest secret only: counts restart when the host replaces it, which no visitor can cause. */
function hashKey(key: string): string {
  return keyedHashes("limit", key)[0];
}
