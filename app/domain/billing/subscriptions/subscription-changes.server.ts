import { type SQL, sql } from "drizzle-orm";
import {
  ENDED_STATUSES,
  OVERDUE_STATUSES,
  type SubscriptionStatus,
} from "#app/domain/access/subscription-state.ts";
import type { Transaction } from "#db/client.server.ts";

export const BEGUN_AFTER_TRIAL: SubscriptionStatus[] = ["active", ...OVERDUE_STATUSES];

const HAS_ENDED = sql`s.status IN ${ENDED_STATUSES}`;
/** A trial or its end is dated by the provider; what has no date happened when we heard of it. */
const HAPPENED_AT = sql`CASE
  WHEN ${HAS_ENDED} THEN s.ended_at
  WHEN last.number IS NULL THEN ${startOf(sql`s`)}
  WHEN last.status = 'trialing' AND s.status IN ${BEGUN_AFTER_TRIAL} THEN s.trial_end
  WHEN s.cancel_at_period_end AND NOT last.is_cancelled THEN s.canceled_at
END`;

/** Call it in the transaction that wrote the subscription: its lock on the row makes one change of two equal writes. */
export async function recordSubscriptionChange(tx: Transaction, subscriptionId: string): Promise<void> {
  await addMissedStart(tx, subscriptionId);
  await tx.execute(sql`
    INSERT INTO subscription_changes (subscription_id, number, at, status, price_id, is_cancelled)
    SELECT s.id, coalesce(last.number, 0) + 1, greatest(least(coalesce(${HAPPENED_AT}, now()), now()), last.at),
      s.status, s.price_id, s.cancel_at_period_end
    FROM subscriptions s LEFT JOIN LATERAL (
      SELECT * FROM subscription_changes WHERE subscription_id = s.id ORDER BY number DESC LIMIT 1
    ) last ON true
    WHERE s.id = ${subscriptionId} AND (last.number IS NULL OR
      (last.status, last.price_id, last.is_cancelled) <> (s.status, s.price_id, s.cancel_at_period_end))`);
}

/** One that is first seen when its trial or its first payment is over began all the same. */
async function addMissedStart(tx: Transaction, subscriptionId: string): Promise<void> {
  const started = sql`(CASE WHEN s.trial_start IS NULL THEN 'active' ELSE 'trialing' END)::subscription_status`;
  await tx.execute(sql`
    INSERT INTO subscription_changes (subscription_id, number, at, status, price_id, is_cancelled)
    SELECT s.id, 1, least(${startOf(sql`s`)}, s.ended_at, now()), ${started}, s.price_id, false
    FROM subscriptions s
    WHERE s.id = ${subscriptionId} AND s.has_begun AND s.status <> ${started} AND s.status <> 'incomplete'
      AND NOT EXISTS (SELECT FROM subscription_changes known WHERE known.subscription_id = s.id)`);
}

function startOf(row: SQL): SQL {
  return sql`coalesce(${row}.trial_start, ${row}.created)`;
}
