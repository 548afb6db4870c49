import { and, eq, getTableColumns, isNull, notInArray, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { databaseTime } from "#db/clock.server.ts";
import { invoices } from "#db/schema/invoices.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { isCurrent } from "./days-of-grace.server.ts";
import { hasBeenPaid } from "./has-been-paid.server.ts";

export interface OwnSubscription {
  id: string;
  userId: string;
}

/** An invoice of a subscription. The index of invoices begins with their user. */
export const IS_BILLED = and(
  eq(invoices.userId, subscriptions.userId),
  eq(invoices.subscriptionId, subscriptions.id),
);

export function isRowOf({ id, userId }: OwnSubscription) {
  return and(eq(subscriptions.id, id), eq(subscriptions.userId, userId));
}

export function selectOwn() {
  return db.select({ id: subscriptions.id, userId: subscriptions.userId }).from(subscriptions);
}

/** Whether to repeat a request made at `since`: until the subscription ends, or for thirty days if the provider does not know it. */
export function isRetried(since: PgColumn) {
  const isRecent = sql`${since} > now() - interval '30 days'`;
  return and(
    notInArray(subscriptions.status, ENDED_STATUSES),
    or(isNull(subscriptions.unknownSince), isRecent),
  );
}

export async function findOwn(own: OwnSubscription) {
  const [found] = await db
    .select({
      ...getTableColumns(subscriptions),
      isCurrent: isCurrent({ of: sql`subscriptions` }),
      hasPaid: hasBeenPaid({ of: sql`subscriptions` }),
      price: prices,
      planName: products.name,
      now: databaseTime,
    })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .where(isRowOf(own));
  return found ?? null;
}

export async function findPayPage(subscriptionId: string) {
  const [row] = await selectPayPage(subscriptionId);
  return row ?? { status: null, isPaymentPending: false, url: null };
}

export function selectPayPage(subscriptionId: string) {
  return db
    .select({
      status: subscriptions.status,
      isPaymentPending: subscriptions.isPaymentPending,
      url: sql<string | null>`(array_agg(${invoices.hostedUrl} ORDER BY ${invoices.createdAt} DESC))[1]`,
    })
    .from(subscriptions)
    .leftJoin(invoices, and(IS_BILLED, eq(invoices.status, "open")))
    .where(eq(subscriptions.id, subscriptionId))
    .groupBy(subscriptions.id);
}
