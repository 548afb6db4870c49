// Needed because the payment pages of some providers cannot be closed: they can be paid late, twice, or for another purchase.
import { and, eq, ne } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { capabilitiesOf } from "../providers/contract/capabilities.ts";
import type { BillingProvider, SubscriptionSnapshot } from "../providers/contract/provider.ts";
import type { Difference } from "../rules/sync-outcome.ts";
import { findOwner } from "../subscriptions/customers.server.ts";
import { IS_CHARGED } from "../subscriptions/other-subscriptions.server.ts";
import type { ProviderSnapshot } from "./snapshot.server.ts";
import { findPurchaseTerms, matchesTerms } from "./write-checkout.server.ts";

/**
 * Nothing more is charged for a sale that nobody accepted ("mismatch"), or that somebody with another subscription has paid
 * ("duplicate"). The host refunds what was charged. A late sale with the accepted terms is a good one.
 */
export async function cancelUnwantedSales(
  provider: BillingProvider,
  snapshot: ProviderSnapshot,
): Promise<Difference[]> {
  if (capabilitiesOf(provider.name).canClose) return [];
  const unwanted: Difference[] = [];
  for (const sold of snapshot.subscriptions.filter(isCharged)) {
    const isSecond = await hasOlder(provider, sold);
    const what = (await isAccepted(sold)) ? (isSecond ? "duplicate" : null) : "mismatch";
    if (what === null) continue;
    await provider.endAtPeriodEnd(sold.id);
    unwanted.push({ kind: "subscription", id: sold.id, what });
  }
  return unwanted;
}

/** A prepaid period is charged once, and a second one lengthens the first. */
function isCharged({ status, cancelAtPeriodEnd, isPrepaid }: SubscriptionSnapshot): boolean {
  return !isPrepaid && !cancelAtPeriodEnd && !ENDED_STATUSES.includes(status);
}

/** One that the host has given to a member needs no purchase. */
async function isAccepted({ id, checkoutId, customerId, soldTerms }: SubscriptionSnapshot): Promise<boolean> {
  if ((await db.$count(subscriptions, eq(subscriptions.id, id))) > 0) return true;
  const terms = await db.transaction((tx) => findPurchaseTerms(tx, checkoutId));
  if (terms === null || soldTerms === null || customerId === "") return false;
  return matchesTerms(terms, [{ terms: soldTerms }]);
}

/** One that goes on. A newer one is the second sale itself. */
async function hasOlder(provider: BillingProvider, sold: SubscriptionSnapshot): Promise<boolean> {
  const { id, customerId, created } = sold;
  const userId = await findOwner({ provider: provider.name, customerId });
  if (userId === null) return false;
  const isHere = (await provider.listSubscriptions(customerId)).some(
    (other) => isCharged(other) && (other.created < created || (other.created <= created && other.id < id)),
  );
  const isTheirs = and(eq(subscriptions.userId, userId), ne(subscriptions.provider, provider.name));
  return isHere || (await db.$count(subscriptions, and(isTheirs, IS_CHARGED))) > 0;
}
