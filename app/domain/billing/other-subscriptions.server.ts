import { sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { priceWords } from "./money-words.ts";
import type { Interval } from "./plan-price.ts";
import { CHARGED } from "./purchase-rule.ts";

export interface OtherSubscription {
  id: string;
  name: string;
  /** "$14.99 a month" */
  price: string;
}

/** Money goes on being taken for it. */
const IS_CHARGED = sql`s.status = ANY (${sql.param(`{${CHARGED.join(",")}}`)}::subscription_status[])
  AND NOT s.cancel_at_period_end AND s.unknown_since IS NULL`;

/**
 * What somebody is charged for besides the subscription that counts. Nothing here sells a second one; a mistake at the
 * provider, or two accounts made one, may.
 */
export async function listOthers(userId: string, currentId: string): Promise<OtherSubscription[]> {
  const rows = await db.execute<{
    id: string;
    name: string;
    unit_amount: number;
    currency: string;
    interval: Interval;
    interval_count: number;
  }>(sql`
    SELECT s.id, d.name, p.unit_amount::float8, p.currency, p.interval, p.interval_count
    FROM subscriptions s JOIN prices p ON p.id = s.price_id JOIN products d ON d.id = p.product_id
    WHERE s.user_id = ${userId} AND s.id <> ${currentId} AND ${IS_CHARGED}
    ORDER BY s.created, s.id`);
  return rows.map(({ id, name, unit_amount, currency, interval, interval_count }) => ({
    id,
    name,
    price: priceWords({ unitAmount: unit_amount, currency, interval, intervalCount: interval_count }),
  }));
}

/** Those of these customers of the provider's who are charged for more than one subscription. */
export async function findDoublyCharged(tx: Transaction, customerIds: string[]): Promise<string[]> {
  if (customerIds.length === 0) return [];
  const rows = await tx.execute<{ id: string }>(sql`
    SELECT c.provider_customer_id AS id FROM customers c JOIN subscriptions s USING (user_id)
    WHERE c.provider_customer_id IN ${customerIds} AND ${IS_CHARGED}
    GROUP BY 1 HAVING count(*) > 1 ORDER BY 1`);
  return rows.map(({ id }) => id);
}
