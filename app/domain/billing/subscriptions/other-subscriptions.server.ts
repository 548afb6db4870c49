import { sql } from "drizzle-orm";
import { CHARGED_STATUSES } from "#app/domain/access/subscription-status.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { formatPrice } from "../rules/format-money.ts";
import type { Interval } from "../rules/plan-price.ts";

export interface OtherSubscription {
  id: string;
  name: string;
  price: string;
}

const IS_CHARGED = sql`s.status IN ${CHARGED_STATUSES}
  AND NOT s.cancel_at_period_end AND s.unknown_since IS NULL`;

/** The site sells no second one; a mistake at the provider or merged accounts can cause it. */
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
    price: formatPrice({ unitAmount: unit_amount, currency, interval, intervalCount: interval_count }),
  }));
}

export async function findChargedTwice(tx: Transaction, customerIds: string[]): Promise<string[]> {
  if (customerIds.length === 0) return [];
  const rows = await tx.execute<{ id: string }>(sql`
    SELECT c.provider_customer_id AS id FROM customers c JOIN subscriptions s USING (user_id)
    WHERE c.provider_customer_id IN ${customerIds} AND ${IS_CHARGED}
    GROUP BY 1 HAVING count(*) > 1 ORDER BY 1`);
  return rows.map(({ id }) => id);
}
