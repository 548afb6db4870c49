import { inArray } from "drizzle-orm";
import { isUncollectedAt, renews } from "#app/domain/access/subscription-state.ts";
import type { Transaction } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { claimPaidTwice, mailPaidTwice } from "../mails/lifecycle-mails.server.ts";
import type { SubscriptionSnapshot } from "../providers/contract/provider.ts";
import type { Difference, Outcome } from "../rules/sync-outcome.ts";
import { lockOwner } from "../subscriptions/customers.server.ts";
import { listChargedTwice } from "../subscriptions/other-subscriptions.server.ts";
import { listRefundable } from "../subscriptions/refundable-invoices.server.ts";
import type { ProviderSnapshot } from "./snapshot.server.ts";
import { completeCheckout } from "./write-checkout.server.ts";
import { writeCustomer } from "./write-customer.server.ts";
import { writeInvoice, writeRefund } from "./write-invoice.server.ts";
import { writeOffer } from "./write-offer.server.ts";
import { markUnknownSubscription, writeSubscription } from "./write-subscription.server.ts";

/** The customer comes last: the writes before it need its owner. */
export async function writeSnapshot(tx: Transaction, snapshot: ProviderSnapshot): Promise<Difference[]> {
  const { provider, fetchedAt, offer, customer } = snapshot;
  const differences: Difference[] = [...snapshot.differences];
  const add = async (kind: Difference["kind"], id: string, written: Promise<Outcome>) => {
    differences.push({ kind, id, what: await written });
  };
  for (const one of snapshot.checkouts) await add("checkout", one.id, completeCheckout(tx, one));
  if (offer) differences.push(...(await writeOffer(tx, offer, fetchedAt)));
  const paidTwice = await listPaidTwice(tx, snapshot);
  for (const one of snapshot.subscriptions) {
    await add("subscription", one.id, writeSubscription(tx, one, fetchedAt));
  }
  for (const id of snapshot.unknownSubscriptions) {
    await add("subscription", id, markUnknownSubscription(tx, id, fetchedAt));
  }
  const unsold = await listUnsold(tx, differences);
  for (const one of snapshot.subscriptions) {
    if (isOpenUncollected(one) && !unsold.has(one.id))
      differences.push({ kind: "subscription", id: one.id, what: "uncollected" });
  }
  for (const one of snapshot.invoices) {
    if (one.subscriptionId !== null && unsold.has(one.subscriptionId)) continue;
    await add("invoice", one.id, writeInvoice(tx, one, snapshot));
  }
  for (const one of snapshot.charges) await add("invoice", one.invoiceId ?? one.id, writeRefund(tx, one));
  const late = await listRefundable(
    tx,
    snapshot.subscriptions.map(({ id }) => id),
  );
  for (const id of late) differences.push({ kind: "invoice", id, what: "refundable" });
  if (customer) await add("customer", customer.id, writeCustomer(tx, customer, snapshot));
  for (const id of paidTwice) await mailPaidTwice(tx, id);
  const buyers = new Set(snapshot.subscriptions.map(({ customerId }) => customerId));
  for (const id of await listChargedTwice(tx, provider, [...buyers])) {
    differences.push({ kind: "customer", id, what: "duplicate" });
  }
  return differences;
}

/** The ids of second sales of which their buyers have not been told. */
async function listPaidTwice(tx: Transaction, snapshot: ProviderSnapshot): Promise<string[]> {
  const found: string[] = [];
  for (const { id, customerId } of snapshot.subscriptions) {
    const isSecond = snapshot.differences.some((one) => one.id === id && one.what === "duplicate");
    const userId = isSecond ? await lockOwner(tx, { provider: snapshot.provider, customerId }) : null;
    if (userId !== null && (await claimPaidTwice(tx, { id, userId }))) found.push(id);
  }
  return found;
}

/** The host may not know that access goes on without payments, perhaps without an end. */
function isOpenUncollected(subscription: SubscriptionSnapshot): boolean {
  return renews(subscription) && isUncollectedAt(subscription, subscription.currentPeriodEnd);
}

/** Never sold here. One that was sold here and changed later is not among them. */
async function listUnsold(tx: Transaction, differences: Difference[]): Promise<Set<string>> {
  const idsOf = (wanted: Outcome) => differences.filter(({ what }) => what === wanted).map(({ id }) => id);
  const mismatched = idsOf("mismatch");
  const ours = await tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(inArray(subscriptions.id, mismatched));
  const known = new Set(ours.map(({ id }) => id));
  return new Set([...idsOf("otherSite"), ...mismatched.filter((id) => !known.has(id))]);
}
