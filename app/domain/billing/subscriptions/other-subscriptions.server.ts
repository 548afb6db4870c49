import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { CHARGED_STATUSES } from "#app/domain/access/subscription-status.ts";
import type { Transaction } from "#db/client.server.ts";
import { customers, subscriptions } from "#db/schema/billing.ts";
import { formatPrice } from "../rules/format.ts";

export type OtherSubscription = ReturnType<typeof viewOther>;

interface Other {
  id: string;
  name: string;
  price: Parameters<typeof formatPrice>[0];
}

const IS_CHARGED = and(
  inArray(subscriptions.status, CHARGED_STATUSES),
  eq(subscriptions.cancelAtPeriodEnd, false),
  isNull(subscriptions.unknownSince),
);

/** The site sells no second one; a mistake at the provider or merged accounts can cause it. */
export function otherSubscriptions(userId: string, currentId: string | null) {
  return sql<Other[] | null>`(
    SELECT jsonb_agg(jsonb_build_object('id', subscriptions.id, 'name', products.name, 'price', jsonb_build_object(
      'unitAmount', prices.unit_amount, 'currency', prices.currency,
      'interval', prices.interval, 'intervalCount', prices.interval_count))
      ORDER BY subscriptions.created, subscriptions.id)
    FROM subscriptions
    JOIN prices ON prices.id = subscriptions.price_id
    JOIN products ON products.id = prices.product_id
    WHERE subscriptions.user_id = ${userId} AND subscriptions.id <> ${currentId} AND ${IS_CHARGED})`;
}

export function viewOther({ price, ...other }: Other) {
  return { ...other, price: formatPrice(price) };
}

export async function findChargedTwice(tx: Transaction, customerIds: string[]): Promise<string[]> {
  const { providerCustomerId: id } = customers;
  const rows = await tx
    .select({ id })
    .from(customers)
    .innerJoin(subscriptions, eq(subscriptions.userId, customers.userId))
    .where(and(inArray(id, customerIds), IS_CHARGED))
    .groupBy(id)
    .having(sql`count(*) > 1`)
    .orderBy(asc(id));
  return rows.map((row) => row.id);
}
