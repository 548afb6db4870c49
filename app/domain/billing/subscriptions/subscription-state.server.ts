import { type SQL, sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { addDays } from "#app/dates.ts";
import { type StateKind, SUBSCRIBING_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";

/** How long an overdue renewal still counts, so that a late event shuts nobody out; by then it was synced. */
const LATE_WORD = sql`interval '2 days'`;

interface Options {
  graceDays?: number;
  now?: SQL;
  /** The table's name or alias in the statement. */
  of?: SQL;
}

/** The period, plus two days for late events, has not ended; after a failed payment, the days of grace. */
export function isCurrent(options: Options = {}): SQL<boolean> {
  const { graceDays = config.billing.graceDays, now = sql`now()`, of: s = sql`s` } = options;
  // No renewal is expected of a cancelled subscription, nor of one unknown to the provider.
  const wait = sql`CASE WHEN ${s}.cancel_at_period_end OR ${s}.unknown_since IS NOT NULL THEN interval '0' ELSE ${LATE_WORD} END`;
  // A stand-in's clock may be ahead of ours: future days must not add grace.
  const begun = sql`least(${s}.current_period_start, ${now})`;
  const end = sql`least(${s}.current_period_end, CASE WHEN ${s}.cancel_at_period_end THEN ${s}.cancel_at END)`;
  const grace = sql`${graceDays} * interval '1 day'`;
  return sql<boolean>`(CASE WHEN ${s}.status = 'past_due' THEN ${begun} + ${grace} ELSE ${end} + ${wait} END > ${now})`;
}

/** Until when access stays after the payment of this period has failed, as isCurrent() says; null when it has ended. */
export function endOfGrace(periodStart: Date, now: Date): Date | null {
  const { graceDays } = config.billing;
  const end = addDays(periodStart, graceDays);
  return graceDays > 0 && end > now ? end : null;
}

/** The same as subscriptionState() says of a row. */
export function stateKind(options: Options = {}): SQL<StateKind> {
  const { now = sql`now()`, of: s = sql`s` } = options;
  const current = isCurrent(options);
  return sql<StateKind>`(CASE
    WHEN ${s}.status = 'incomplete_expired' THEN 'expired'
    WHEN ${s}.status = 'canceled' THEN 'ended'
    WHEN ${s}.unknown_since IS NOT NULL THEN
      CASE WHEN ${s}.status IN ${SUBSCRIBING_STATUSES} AND ${current} THEN 'unknown' ELSE 'unknownOver' END
    WHEN ${s}.status = 'paused' THEN 'paused'
    WHEN ${s}.status = 'incomplete' THEN 'unbegun'
    WHEN ${s}.status = 'past_due' AND ${current} THEN 'grace'
    WHEN ${s}.status IN ('past_due', 'unpaid') THEN 'overdue'
    WHEN ${s}.cancel_at_period_end THEN CASE WHEN ${current} THEN 'ending' ELSE 'ended' END
    WHEN ${s}.current_period_end > ${now} AND ${s}.status = 'trialing' AND ${s}.trial_end_without_card IS NOT NULL
      THEN 'cardless'
    WHEN ${current} AND ${s}.collection_pause IS NOT NULL AND (${s}.collection_resumes_at IS NULL
      OR ${s}.collection_resumes_at > greatest(${s}.current_period_end, ${now})) THEN 'uncollected'
    WHEN ${s}.current_period_end > ${now} THEN 'running'
    WHEN ${current} THEN 'renewing'
    ELSE 'unrenewed' END)`;
}

/** Subscriptions whose payments are paused at the provider. `endless`: somebody has to end the pause there. */
export async function countUncollected(): Promise<{ all: number; endless: number }> {
  const [row] = await db.execute<{ all: number; endless: number }>(sql`
    SELECT count(*)::int AS "all", count(*) FILTER (WHERE s.collection_resumes_at IS NULL)::int AS endless
    FROM subscriptions s WHERE s.collection_pause IS NOT NULL AND ${stateKind()} = 'uncollected'`);
  return row ?? { all: 0, endless: 0 };
}
