import { and, eq, isNull, lte, notInArray, sql } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { type Price, prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { mailAboutSubscription } from "../mails/lifecycle-mails.server.ts";
import { DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import type { SubscriptionSnapshot } from "../providers/contract/provider.ts";
import { providers } from "../providers/providers.server.ts";
import type { Outcome } from "../rules/sync-outcome.ts";
import { lockOwner } from "../subscriptions/customers.server.ts";
import { recordSubscriptionChange } from "../subscriptions/subscription-changes.server.ts";
import { differenceOf, type FetchedAt } from "./snapshot.server.ts";
import { findPurchaseTerms, matchesTerms, priceMatchesTerms } from "./write-checkout.server.ts";

/** Skips late answers and what we do not sell. One of ours that was changed keeps its price and quantity here. */
export async function writeSubscription(
  tx: Transaction,
  snapshot: SubscriptionSnapshot,
  fetchedAt: FetchedAt,
): Promise<Outcome> {
  const { customerId, isOtherSite, hasOtherSitesPrice, ...rest } = snapshot;
  const {
    price: _price,
    product: _product,
    checkoutId: _id,
    soldTerms: _sold,
    fingerprint: _,
    ...row
  } = rest;
  const owner = await lockOwner(tx, { provider: row.provider, customerId });
  const [before] = await tx.select().from(subscriptions).where(eq(subscriptions.id, row.id));
  // A subscription's last answer may come after its customer was deleted.
  const userId = owner ?? before?.userId;
  if (userId === undefined || isOtherSite) return "otherSite";
  const isFit = (before || (await matchesPurchaseTerms(tx, snapshot))) && (await isForSaleHere(tx, snapshot));
  const hasEnded = ENDED_STATUSES.includes(row.status);
  // Paid access continues and can be canceled. One given to another site is written only once it has ended.
  if (!isFit && (before === undefined || (hasOtherSitesPrice && !hasEnded))) return "mismatch";
  const { priceId, quantity } = isFit || before === undefined ? row : before;
  const isKept = before?.cancelAtPeriodEnd === true && !row.cancelAtPeriodEnd && !hasEnded;
  const renewed = isKept ? { renewalEndedBy: null } : {};
  const values = { ...row, ...renewed, priceId, quantity, userId, unknownSince: null, fetchedAt };
  const [after] = await tx
    .insert(subscriptions)
    .values(values)
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: values,
      setWhere: lte(subscriptions.fetchedAt, fetchedAt),
    })
    .returning();
  if (!after) return "late";
  await recordSubscriptionChange(tx, after.id);
  await mailAboutSubscription(tx, { before: before ?? null, after });
  return isFit || hasEnded ? differenceOf(before, after) : "mismatch";
}

/** Another account sold this one and may still charge for it, so nothing is ended and no email is sent. */
export async function markUnknownSubscription(
  tx: Transaction,
  id: string,
  fetchedAt: FetchedAt,
): Promise<Outcome> {
  const isOpen = and(eq(subscriptions.id, id), notInArray(subscriptions.status, ENDED_STATUSES));
  if ((await tx.$count(subscriptions, isOpen)) === 0) return "same";
  const marked = await tx
    .update(subscriptions)
    .set({ unknownSince: sql`coalesce(${subscriptions.unknownSince}, now())`, fetchedAt })
    .where(and(isOpen, lte(subscriptions.fetchedAt, fetchedAt)));
  return marked.count > 0 ? "unknown" : "late";
}

/** Those of providers that are not set up any more. */
export async function markOfFormerProviders({ userId }: { userId?: string } = {}): Promise<void> {
  await db
    .update(subscriptions)
    .set({ unknownSince: sql`now()` })
    .where(
      and(
        notInArray(subscriptions.provider, [...providers().keys(), DEMO_PROVIDER]),
        notInArray(subscriptions.status, ENDED_STATUSES),
        isNull(subscriptions.unknownSince),
        userId === undefined ? undefined : eq(subscriptions.userId, userId),
      ),
    );
}

/** Compared only until the purchase is completed: the plan may be changed after that. */
async function matchesPurchaseTerms(tx: Transaction, snapshot: SubscriptionSnapshot) {
  const { price, checkoutId, soldTerms } = snapshot;
  const terms = await findPurchaseTerms(tx, checkoutId);
  if (terms !== null && soldTerms !== null) return matchesTerms(terms, [{ terms: soldTerms }]);
  if (terms === null || terms.status === "completed" || price === null) return true;
  return priceMatchesTerms(terms, price);
}

async function isForSaleHere(tx: Transaction, snapshot: SubscriptionSnapshot) {
  const { price, product, quantity, hasOtherSitesPrice } = snapshot;
  if (price === null || quantity !== 1 || hasOtherSitesPrice) return false;
  const [known] = await tx.select().from(prices).where(eq(prices.id, price.id));
  if (known) return isSamePrice(known, price);
  if (product === null) return false;
  await tx.insert(products).values(product).onConflictDoNothing();
  await tx.insert(prices).values(price).onConflictDoNothing();
  return true;
}

const PRICE_TERMS = ["productId", "currency", "unitAmount", "interval", "intervalCount"] as const;

function isSamePrice(known: Price, current: Price): boolean {
  return PRICE_TERMS.every((key) => known[key] === current[key]);
}
