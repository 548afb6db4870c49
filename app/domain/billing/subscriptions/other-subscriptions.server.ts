import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { StateKind } from "#app/domain/access/subscription-state.ts";
import type { Transaction } from "#db/client.server.ts";
import { customers } from "#db/schema/customers.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { formatPrice } from "../rules/format-money.ts";
import { stateKind } from "./subscription-state.server.ts";

export type OtherSubscription = ReturnType<typeof viewOther>;

interface Other {
  id: string;
  name: string;
  price: Parameters<typeof formatPrice>[0];
}

const CHARGED_KINDS: StateKind[] = ["running", "renewing", "unrenewed", "grace", "overdue", "unbegun"];
export const IS_CHARGED = and(
  sql`${stateKind({ of: sql`subscriptions` })} IN ${CHARGED_KINDS}`,
  eq(subscriptions.cancelAtPeriodEnd, false),
);

/** The site never sells a second subscription, but a mistake at the provider or merged accounts can create one. */
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
  // One that is charged renews.
  return { ...other, price: formatPrice(price, { isPrepaid: false }) };
}

/** At this provider or another. */
export async function listChargedTwice(
  tx: Transaction,
  provider: string,
  customerIds: string[],
): Promise<string[]> {
  const { providerCustomerId: id } = customers;
  const rows = await tx
    .select({ id })
    .from(customers)
    .innerJoin(subscriptions, eq(subscriptions.userId, customers.userId))
    .where(and(eq(customers.provider, provider), inArray(id, customerIds), IS_CHARGED))
    .groupBy(id)
    .having(sql`count(*) > 1`)
    .orderBy(asc(id));
  return rows.map((row) => row.id);
}
