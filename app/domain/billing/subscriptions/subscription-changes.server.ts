import { sql } from "drizzle-orm";
import {
  ENDED_STATUSES,
  OVERDUE_STATUSES,
  type SubscriptionStatus,
} from "#app/domain/access/subscription-state.ts";
import type { Transaction } from "#db/client.server.ts";

export const BEGUN_AFTER_TRIAL: SubscriptionStatus[] = ["active", ...OVERDUE_STATUSES];

const STARTED_AT = sql`coalesce(s.trial_start, s.created)`;
/** The provider dates some changes. The others happened when we heard of them. */
const HAPPENED_AT = sql`CASE
  WHEN s.status IN ${ENDED_STATUSES} THEN s.ended_at
  WHEN last.number IS NULL THEN ${STARTED_AT}
  WHEN last.status = 'trialing' AND s.status IN ${BEGUN_AFTER_TRIAL} THEN s.trial_end
  WHEN s.cancel_at_period_end AND NOT last.is_cancelled THEN s.canceled_at
END`;

/** Call it in the transaction that wrote the subscription: its lock on the row keeps two equal writes from adding two changes. */
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

/** A subscription first seen after its trial or its first payment needs a row for its start, too. */
async function addMissedStart(tx: Transaction, subscriptionId: string): Promise<void> {
  const started = sql`(CASE WHEN s.trial_start IS NULL THEN 'active' ELSE 'trialing' END)::subscription_status`;
  await tx.execute(sql`
    INSERT INTO subscription_changes (subscription_id, number, at, status, price_id, is_cancelled)
    SELECT s.id, 1, least(${STARTED_AT}, s.ended_at, now()), ${started}, s.price_id, false
    FROM subscriptions s
    WHERE s.id = ${subscriptionId} AND s.has_begun AND s.status <> ${started} AND s.status <> 'incomplete'
      AND NOT EXISTS (SELECT FROM subscription_changes known WHERE known.subscription_id = s.id)`);
}
