import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { ACCESS_STATUSES, OVERDUE_STATUSES, type StateKind } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { number, readOne } from "#db/rows.ts";
import { isCurrent, type PeriodOptions } from "./days-of-grace.server.ts";

export function stateKind(options: PeriodOptions = {}): SQL<StateKind> {
  const { now = sql`now()`, of: s = sql`s` } = options;
  const current = isCurrent(options);
  return sql<StateKind>`(CASE
    WHEN ${s}.status = 'incomplete_expired' THEN 'expired'
    WHEN ${s}.status = 'canceled' THEN 'ended'
    WHEN ${s}.unknown_since IS NOT NULL THEN
      CASE WHEN ${s}.status IN ${ACCESS_STATUSES} AND ${current} THEN 'unknown' ELSE 'unknownEnded' END
    WHEN ${s}.status = 'paused' THEN 'paused'
    WHEN ${s}.status = 'incomplete' THEN 'unbegun'
    WHEN ${s}.status = 'past_due' AND ${current} THEN 'grace'
    WHEN ${s}.status IN ${OVERDUE_STATUSES} THEN 'overdue'
    WHEN ${s}.is_prepaid THEN CASE WHEN ${current} THEN 'prepaid' ELSE 'ended' END
    WHEN ${s}.cancel_at_period_end THEN CASE WHEN ${current} THEN 'ending' ELSE 'ended' END
    WHEN ${s}.current_period_end > ${now} AND ${s}.status = 'trialing' AND ${s}.trial_end_without_card IS NOT NULL
      THEN 'cardless'
    WHEN ${current} AND ${s}.collection_pause IS NOT NULL AND (${s}.collection_resumes_at IS NULL
      OR ${s}.collection_resumes_at > greatest(${s}.current_period_end, ${now})) THEN 'uncollected'
    WHEN ${s}.current_period_end > ${now} THEN 'running'
    WHEN ${current} THEN 'renewing'
    ELSE 'unrenewed' END)`;
}

const Uncollected = z.object({ all: number, endless: number });

/** `endless`: somebody has to end the pause at the provider. */
export function countUncollected(): Promise<z.infer<typeof Uncollected>> {
  return readOne(db, Uncollected)`
    SELECT count(*)::int AS "all", count(*) FILTER (WHERE s.collection_resumes_at IS NULL)::int AS endless
    FROM subscriptions s WHERE s.collection_pause IS NOT NULL AND ${stateKind()} = 'uncollected'`;
}
