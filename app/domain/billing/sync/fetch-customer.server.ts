import { and, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import type { BillingProvider } from "../providers/contract/provider.ts";
import { listOpenSubscriptions } from "../subscriptions/customers.server.ts";
import { beginSnapshot, fetchSubscriptions, type ProviderSnapshot } from "./snapshot.server.ts";

interface Person {
  userId: string;
  customerId: string;
}

export async function fetchCustomer(
  provider: BillingProvider,
  { userId, customerId }: Person,
): Promise<ProviderSnapshot> {
  // Fetched first, so that the lists below contain what this checkout created.
  const open = await fetchOpenCheckout(provider, userId);
  const begun = await beginSnapshot(provider.name);
  const customer = await provider.readCustomer(customerId);
  if (customer === null || customer.isDeleted) {
    const ids = await listOpenSubscriptions(userId, provider.name);
    const unknown = { kind: "customer", id: customerId, what: "unknown" } as const;
    const stored = await fetchSubscriptions(provider, ids, begun);
    return { ...stored, customer, differences: customer === null ? [unknown] : [] };
  }
  const [listed, invoices, charges] = await Promise.all([
    provider.listSubscriptions(customerId),
    provider.listInvoices(customerId),
    provider.listReversedCharges(customerId),
  ]);
  // Rows that the provider's list lacks may belong to another customer of the same person.
  const stored = await listOpenSubscriptions(userId, provider.name);
  const unlisted = stored.filter((id) => listed.every((one) => one.id !== id));
  const fetched = await fetchSubscriptions(provider, unlisted, { ...begun, subscriptions: [...listed] });
  return { ...fetched, customer, checkouts: open ? [open] : [], invoices, charges };
}

async function fetchOpenCheckout(provider: BillingProvider, userId: string) {
  const isOpen = and(eq(checkouts.userId, userId), eq(checkouts.status, "open"));
  const [row] = await db
    .select({ id: checkouts.providerCheckoutId })
    .from(checkouts)
    .where(and(isOpen, eq(checkouts.provider, provider.name)));
  return row?.id ? provider.readCheckout(row.id) : null;
}
