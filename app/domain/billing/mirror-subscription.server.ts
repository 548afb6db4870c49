import { isDeepStrictEqual } from "node:util";
import { and, eq, notInArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { prices, products, subscriptions } from "#db/schema/billing.ts";
import { findAgreed, isPriceAsAgreed } from "./agreed.server.ts";
import type { AskedAt } from "./asked-at.server.ts";
import type { What } from "./change.ts";
import { noticeSubscription } from "./notices.server.ts";
import { ENDED_STATUSES, lockOwner, namesAnotherSite } from "./owner.server.ts";
import type { OfferedPrice, SubscriptionSnapshot } from "./providers/provider.ts";

type Row = typeof subscriptions.$inferSelect;

/**
 * Writes what the provider says of a subscription, unless a later answer is there or it is not what we sell. One that was
 * ours and was made another thing at the provider's keeps its price and number here, and is told of as a mismatch.
 */
export async function mirrorSubscription(
  tx: Transaction,
  snapshot: SubscriptionSnapshot,
  askedAt: AskedAt,
): Promise<What> {
  const owner = await lockOwner(tx, snapshot.customerId);
  const [before] = await tx.select().from(subscriptions).where(eq(subscriptions.id, snapshot.id));
  // The last word about one may come after its customer was deleted.
  const userId = owner ?? before?.userId;
  if (userId === undefined || namesAnotherSite(snapshot.site)) return "foreign";
  const isFit = (before || (await isWhatWasAgreed(tx, snapshot))) && (await isWhatWeSell(tx, snapshot));
  const row = isFit ? rowOf(snapshot) : soldBefore(before, snapshot);
  if (row === null) return "mismatch";
  const values = { ...row, userId, unknownSince: null, readAt: sql`${askedAt}::timestamptz` };
  const [after] = await tx
    .insert(subscriptions)
    .values(values)
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: values,
      setWhere: sql`${subscriptions.readAt} <= ${askedAt}::timestamptz`,
    })
    .returning();
  if (!after) return "late";
  await noticeSubscription(tx, { before: before ?? null, after });
  if (!isFit && !ENDED_STATUSES.includes(after.status)) return "mismatch";
  if (before === undefined) return "new";
  return isDeepStrictEqual({ ...before, readAt: null }, { ...after, readAt: null }) ? "same" : "changed";
}

/**
 * Notes at our row that the provider does not know it. A provider forgets none that it has sold: this one was sold under
 * another account, which may charge for it still, so nothing is ended and nobody told that it was.
 */
export async function markUnknownSubscription(tx: Transaction, id: string, askedAt: AskedAt): Promise<What> {
  const isOpen = and(eq(subscriptions.id, id), notInArray(subscriptions.status, ENDED_STATUSES));
  if ((await tx.$count(subscriptions, isOpen)) === 0) return "same";
  const marked = await tx
    .update(subscriptions)
    .set({
      unknownSince: sql`coalesce(${subscriptions.unknownSince}, now())`,
      readAt: sql`${askedAt}::timestamptz`,
    })
    .where(and(isOpen, sql`${subscriptions.readAt} <= ${askedAt}::timestamptz`))
    .returning({ id: subscriptions.id });
  return marked.length > 0 ? "unknown" : "late";
}

/** Once a purchase is written as completed, its plan may have been changed since. */
async function isWhatWasAgreed(tx: Transaction, { price, checkoutId }: SubscriptionSnapshot) {
  const agreed = await findAgreed(tx, checkoutId);
  if (agreed === null || agreed.status === "completed" || price === null) return true;
  return isPriceAsAgreed(agreed, price);
}

/** One price of ours, once, for the amount that we know. A price that is new to us becomes known. */
async function isWhatWeSell(tx: Transaction, { price, product, quantity }: SubscriptionSnapshot) {
  if (price === null || quantity !== 1 || namesAnotherSite(price.metadata.site)) return false;
  if (namesAnotherSite(product?.metadata.site)) return false;
  const [known] = await tx.select().from(prices).where(eq(prices.id, price.id));
  if (known) return isSameSum(known, price);
  if (product === null) return false;
  await tx.insert(products).values(product).onConflictDoNothing();
  await tx.insert(prices).values(price).onConflictDoNothing();
  return true;
}

function isSameSum(known: OfferedPrice, told: OfferedPrice): boolean {
  const sum = ({ productId, currency, unitAmount, interval, intervalCount }: OfferedPrice) => ({
    productId,
    currency,
    unitAmount,
    interval,
    intervalCount,
  });
  return isDeepStrictEqual(sum(known), sum(told));
}

function rowOf({
  customerId: _,
  price: __,
  product: ___,
  fingerprint: ____,
  site: _____,
  checkoutId: ______,
  ...row
}: SubscriptionSnapshot) {
  return row;
}

/** What was paid for stays open and can be cancelled. What has gone to another site opens nothing more; it can end. */
function soldBefore(before: Row | undefined, snapshot: SubscriptionSnapshot) {
  const { price, product, status } = snapshot;
  const isGone = namesAnotherSite(price?.metadata.site) || namesAnotherSite(product?.metadata.site);
  if (before === undefined || (isGone && !ENDED_STATUSES.includes(status))) return null;
  return { ...rowOf(snapshot), priceId: before.priceId, quantity: before.quantity };
}
