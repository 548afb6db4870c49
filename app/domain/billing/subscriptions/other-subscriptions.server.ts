import { and, asc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { CHARGED_STATUSES } from "#app/domain/access/subscription-status.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { customers, prices, products, subscriptions } from "#db/schema/billing.ts";
import { formatPrice } from "../rules/format-money.ts";

export type OtherSubscription = Awaited<ReturnType<typeof listOthers>>[number];

const IS_CHARGED = and(
  inArray(subscriptions.status, CHARGED_STATUSES),
  eq(subscriptions.cancelAtPeriodEnd, false),
  isNull(subscriptions.unknownSince),
);

/** The site sells no second one; a mistake at the provider or merged accounts can cause it. */
export async function listOthers(userId: string, currentId: string) {
  const rows = await db
    .select({ id: subscriptions.id, name: products.name, price: prices })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .where(and(eq(subscriptions.userId, userId), ne(subscriptions.id, currentId), IS_CHARGED))
    .orderBy(asc(subscriptions.created), asc(subscriptions.id));
  return rows.map(({ price, ...other }) => ({ ...other, price: formatPrice(price) }));
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
