import { inArray } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import type { AskedAt } from "./asked-at.server.ts";
import type { Change, What } from "./change.ts";
import { completeCheckout } from "./complete-checkout.server.ts";
import { mirrorCustomer } from "./mirror-customer.server.ts";
import { mirrorInvoice, mirrorRefund } from "./mirror-invoice.server.ts";
import { writeOffer } from "./mirror-offer.server.ts";
import { markUnknownSubscription, mirrorSubscription } from "./mirror-subscription.server.ts";
import { findDoublyCharged } from "./other-subscriptions.server.ts";
import type {
  ChargeSnapshot,
  CheckoutSnapshot,
  CustomerSnapshot,
  InvoiceSnapshot,
  Offer,
  SubscriptionSnapshot,
} from "./providers/provider.ts";

/** What the provider answered, all of it asked after `askedAt`. What was not asked is empty. */
export interface Findings {
  askedAt: AskedAt;
  offer: Offer | null;
  customer: CustomerSnapshot | null;
  checkouts: CheckoutSnapshot[];
  subscriptions: SubscriptionSnapshot[];
  /** Ids of ours that the provider does not know. */
  unknownSubscriptions: string[];
  invoices: InvoiceSnapshot[];
  returned: ChargeSnapshot[];
  /** What is not written at all, and only told. */
  told: Change[];
}

export function nothingFound(askedAt: AskedAt): Findings {
  return {
    askedAt,
    offer: null,
    customer: null,
    checkouts: [],
    subscriptions: [],
    unknownSubscriptions: [],
    invoices: [],
    returned: [],
    told: [],
  };
}

/** What is not sold here is not billed here. What was sold here and has become something else is. */
async function findStrange(tx: Transaction, changes: Change[]): Promise<Set<string>> {
  const idsOf = (wanted: What) => changes.filter(({ what }) => what === wanted).map(({ id }) => id);
  const mismatched = idsOf("mismatch");
  const ours = await tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(inArray(subscriptions.id, mismatched));
  const known = new Set(ours.map(({ id }) => id));
  return new Set([...idsOf("foreign"), ...mismatched.filter((id) => !known.has(id))]);
}

/** The customer last: what is written before it asks whose it is. */
export async function writeFindings(tx: Transaction, findings: Findings): Promise<Change[]> {
  const { askedAt, offer, customer } = findings;
  const changes: Change[] = [...findings.told];
  for (const one of findings.checkouts) {
    changes.push({ kind: "checkout", id: one.id, what: await completeCheckout(tx, one) });
  }
  if (offer) changes.push(...(await writeOffer(tx, offer, { askedAt, isDryRun: false })));
  for (const one of findings.subscriptions) {
    changes.push({ kind: "subscription", id: one.id, what: await mirrorSubscription(tx, one, askedAt) });
  }
  for (const id of findings.unknownSubscriptions) {
    changes.push({ kind: "subscription", id, what: await markUnknownSubscription(tx, id, askedAt) });
  }
  const strange = await findStrange(tx, changes);
  for (const one of findings.invoices) {
    if (one.subscriptionId !== null && strange.has(one.subscriptionId)) continue;
    changes.push({ kind: "invoice", id: one.id, what: await mirrorInvoice(tx, one, askedAt) });
  }
  for (const one of findings.returned) {
    changes.push({ kind: "invoice", id: one.invoiceId ?? one.id, what: await mirrorRefund(tx, one) });
  }
  if (customer) {
    changes.push({ kind: "customer", id: customer.id, what: await mirrorCustomer(tx, customer, askedAt) });
  }
  const buyers = new Set(findings.subscriptions.map(({ customerId }) => customerId));
  for (const id of await findDoublyCharged(tx, [...buyers])) {
    changes.push({ kind: "customer", id, what: "double" });
  }
  return changes;
}
