import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/billing.ts";
import type {
  BillingProvider,
  CheckoutSnapshot,
  SubscriptionSnapshot,
} from "../providers/contract/provider.ts";
import { listOpenSubscriptions } from "../subscriptions/customers.server.ts";
import { beginSnapshot, type ProviderSnapshot } from "./snapshot.server.ts";

interface Person {
  userId: string;
  customerId: string;
}

export async function fetchCustomer(provider: BillingProvider, person: Person): Promise<ProviderSnapshot> {
  // Fetched first, so that the lists below contain what these checkouts created.
  const open = await fetchCheckouts(provider, person);
  const snapshot = await beginSnapshot();
  const customer = await provider.readCustomer(person.customerId);
  if (customer === null || customer.isDeleted) {
    const unknown = { kind: "customer", id: person.customerId, what: "unknown" } as const;
    const stored = await fetchUnlisted(provider, person, []);
    return { ...snapshot, ...stored, customer, changes: customer === null ? [unknown] : [] };
  }
  const [listed, invoices, charges] = await Promise.all([
    provider.listSubscriptions(person.customerId),
    provider.listInvoices(person.customerId),
    provider.listReturned(person.customerId),
  ]);
  const others = await fetchUnlisted(provider, person, listed);
  return {
    ...snapshot,
    ...others,
    subscriptions: [...listed, ...others.subscriptions],
    customer,
    checkouts: open,
    invoices,
    charges,
  };
}

/** Our rows' subscriptions that the provider's list lacks: another customer of the same person may have them. */
async function fetchUnlisted(provider: BillingProvider, { userId }: Person, listed: SubscriptionSnapshot[]) {
  const known = new Set(listed.map(({ id }) => id));
  const subscriptions: SubscriptionSnapshot[] = [];
  const unknownSubscriptions: string[] = [];
  for (const id of await listOpenSubscriptions(userId, provider.name)) {
    if (known.has(id)) continue;
    const subscription = await provider.readSubscription(id);
    if (subscription === null) unknownSubscriptions.push(id);
    else subscriptions.push(subscription);
  }
  return { subscriptions, unknownSubscriptions };
}

async function fetchCheckouts(provider: BillingProvider, { userId }: Person): Promise<CheckoutSnapshot[]> {
  const rows = await db
    .select({ id: checkouts.providerCheckoutId })
    .from(checkouts)
    .where(
      and(
        eq(checkouts.userId, userId),
        eq(checkouts.status, "open"),
        eq(checkouts.provider, provider.name),
        isNotNull(checkouts.providerCheckoutId),
      ),
    );
  const fetched = await Promise.all(rows.map(({ id }) => (id === null ? null : provider.readCheckout(id))));
  return fetched.filter((checkout) => checkout !== null);
}
