import { and, eq, isNotNull } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/billing.ts";
import { askedNow } from "./asked-at.server.ts";
import { endReturned } from "./end-returned.server.ts";
import { type Findings, nothingFound } from "./findings.server.ts";
import { listOpenSubscriptions } from "./owner.server.ts";
import type { BillingProvider, CheckoutSnapshot, SubscriptionSnapshot } from "./providers/provider.ts";
import { endSecondTrial } from "./trials.server.ts";

interface Person {
  userId: string;
  customerId: string;
}

/** Asks the provider for everything of one person. With `isDryRun` what was paid back is not ended, only told. */
export async function askAll(
  provider: BillingProvider,
  person: Person,
  { isDryRun }: { isDryRun: boolean },
): Promise<Findings> {
  const customer = await provider.readCustomer(person.customerId);
  if (customer === null) {
    const told = [{ kind: "customer", id: person.customerId, what: "unknown" } as const];
    const findings = { ...nothingFound(await askedNow()), told };
    return { ...findings, ...(await askForStored(provider, person, [])) };
  }
  if (customer.isDeleted) {
    const findings = { ...nothingFound(await askedNow()), customer };
    return { ...findings, ...(await askForStored(provider, person, [])) };
  }
  const returned = await provider.listReturned(person.customerId);
  const ended = await endReturned(provider, returned, { isDryRun });
  const due = ended.map((id) => ({ kind: "subscription", id, what: "due" }) as const);
  // What a checkout has brought about is there when it is asked for afterwards.
  const open = await askForCheckouts(provider, person);
  const askedAt = await askedNow();
  const [card, listed, invoices] = await Promise.all([
    provider.readCustomer(person.customerId),
    provider.listSubscriptions(person.customerId),
    provider.listInvoices(person.customerId),
  ]);
  const others = await askForStored(provider, person, listed);
  const all = [...listed, ...others.subscriptions];
  return {
    ...nothingFound(askedAt),
    ...others,
    subscriptions: isDryRun ? all : await Promise.all(all.map((one) => endSecondTrial(provider, one))),
    customer: card,
    checkouts: open,
    invoices,
    returned,
    told: isDryRun ? due : [],
  };
}

/** Those of ours that are not in the provider's list. */
async function askForStored(provider: BillingProvider, { userId }: Person, listed: SubscriptionSnapshot[]) {
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

/** Purchases whose end nobody has told us. */
async function askForCheckouts(provider: BillingProvider, { userId }: Person): Promise<CheckoutSnapshot[]> {
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
  const asked = await Promise.all(rows.map(({ id }) => (id === null ? null : provider.readCheckout(id))));
  return asked.filter((checkout) => checkout !== null);
}
