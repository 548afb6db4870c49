import { sql } from "drizzle-orm";
import { z } from "zod";
import { LIMITS, readTaken, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { flag, number, readOne, timestamp } from "#db/rows.ts";
import type { CallRefusal } from "../providers/contract/events.ts";
import { IS_UNKNOWN_SALE } from "../providers/facts/stored-facts.server.ts";
import { listProbedProviders, providers } from "../providers/providers.server.ts";
import { stateKind } from "../subscriptions/subscription-state.server.ts";

/** The type under which asking for a provider's list is kept, and a part of the ids of what it told. */
export const FEED = "feed";
/** A single one may be anybody's. */
const MIN_REFUSED = 5;
/** Providers charge within hours of the end of a period, and then tell of it. */
const RENEWED_WITHIN = sql`interval '6 hours'`;
/** Later, the nightly comparison has asked the provider. */
const GIVEN_UP_AFTER = sql`interval '7 days'`;
const CONFIRMED_WITHIN = sql`interval '1 hour'`;

/** An event that came by itself: lists of a provider are asked for. */
const IS_CALL = sql`type <> ${FEED} AND id NOT LIKE provider || ':' || ${FEED}::text || ':%'`;
const REASONS: CallRefusal[] = ["signature", "address", "token", "account", "form"];

interface Missed {
  amount: number;
  since: Date | null;
}

/** Of this process, by provider and reason. */
const uncounted = new Map<string, number>();
const COUNTED_EVERY_MS = 5 * 60_000;

/** Stored together after some minutes: what anybody can send writes nothing by itself. */
export function noteRefusal(provider: string, why: CallRefusal): void {
  if (uncounted.size === 0) setTimeout(() => countRefusals().catch(() => {}), COUNTED_EVERY_MS).unref();
  const key = `${provider} ${why}`;
  uncounted.set(key, (uncounted.get(key) ?? 0) + 1);
}

export async function countRefusals(): Promise<void> {
  const counted = [...uncounted];
  uncounted.clear();
  for (const [key, amount] of counted) await takePoint("refusedEvents", key, amount);
}

/** Of the last day or less, since each is counted for a day. */
export async function listRefusals(): Promise<
  { provider: string; why: CallRefusal; amount: number; seconds: number }[]
> {
  const counted = [...providers().keys()].flatMap((provider) =>
    REASONS.map(async (why) => {
      const taken = await readTaken("refusedEvents", `${provider} ${why}`);
      return taken === null ? [] : [{ provider, why, amount: taken.points, seconds: taken.forSeconds }];
    }),
  );
  return (await Promise.all(counted)).flat();
}

/** Calls of providers of which not one was accepted in the same time: all of theirs are refused. */
export async function readRefusedEvents(): Promise<Missed> {
  const refusals = await listRefusals();
  let [amount, seconds] = [0, 0];
  for (const provider of new Set(refusals.map((one) => one.provider))) {
    const theirs = refusals.filter((one) => one.provider === provider);
    const refused = theirs.reduce((sum, one) => sum + one.amount, 0);
    if (refused < MIN_REFUSED || (await isHeard(provider))) continue;
    amount += refused;
    seconds = Math.max(seconds, ...theirs.map((one) => one.seconds));
  }
  const since = new Date((await readDatabaseTime()).getTime() - seconds * 1_000);
  return { amount, since: amount === 0 ? null : since };
}

function isHeard(provider: string): Promise<boolean> {
  const day = sql`make_interval(secs => ${LIMITS.refusedEvents.seconds})`;
  return readOne(db, flag)`SELECT EXISTS (SELECT FROM billing_events
    WHERE provider = ${provider} AND received_at > now() - ${day} AND ${IS_CALL})`;
}

/** Renewals that were due while no event came from their provider, and sales that it has not confirmed or does not know. */
export function readMissingPayments(): Promise<Missed> {
  const isOneOf = (names: string[]) => sql`provider = ANY(${`{${names.join()}}`}::text[])`;
  const isProbed = isOneOf(listProbedProviders().map(({ name }) => name));
  return readOne(db, z.object({ amount: number, since: timestamp.nullable() }))`
    SELECT count(*)::int AS amount, min(at) AS since FROM (
      SELECT s.current_period_end AS at FROM subscriptions s
      WHERE ${isOneOf([...providers().keys()])} AND ${stateKind()} IN ('renewing', 'unrenewed')
        AND s.current_period_end BETWEEN now() - ${GIVEN_UP_AFTER} AND now() - ${RENEWED_WITHIN}
        AND NOT EXISTS (SELECT FROM billing_events
          WHERE provider = s.provider AND received_at > s.current_period_end AND ${IS_CALL})
      UNION ALL SELECT received_at FROM billing_facts sale
      WHERE ${isProbed} AND fact ->> 'kind' = 'sale' AND received_at < now() - ${CONFIRMED_WITHIN}
        AND NOT EXISTS (SELECT FROM billing_facts
          WHERE subscription_id = sale.subscription_id AND fact ->> 'kind' IN ('probed', 'closed'))
      UNION ALL SELECT received_at FROM billing_facts
      WHERE ${isProbed} AND ${IS_UNKNOWN_SALE} AND received_at > now() - ${GIVEN_UP_AFTER}
    ) missing`;
}
