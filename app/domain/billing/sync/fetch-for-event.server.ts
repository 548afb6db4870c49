import { capabilitiesOf } from "../providers/contract/capabilities.ts";
import type { EventSubject } from "../providers/contract/events.ts";
import type { BillingProvider, ChargeSnapshot, CheckoutSnapshot } from "../providers/contract/provider.ts";
import { sellingOffer } from "../providers/providers.server.ts";
import { findOwner, listOpenSubscriptions } from "../subscriptions/customers.server.ts";
import { fetchCustomer } from "./fetch-customer.server.ts";
import { beginSnapshot, fetchSubscriptions, type ProviderSnapshot } from "./snapshot.server.ts";

export async function fetchForEvent(
  provider: BillingProvider,
  { kind, id }: EventSubject,
): Promise<ProviderSnapshot> {
  switch (kind) {
    case "facts":
      return fetchFromFacts(provider, id);
    case "product":
    case "price":
      return fetchOffer(provider);
    case "customer":
      return fetchCustomerEvent(provider, id);
    case "checkout":
      return fetchCheckout(provider, id);
    case "subscription":
      return fetchSubscriptions(provider, [id]);
    case "invoice":
      return fetchInvoice(provider, id);
    case "charge":
      return fetchCharge(provider, await provider.readCharge(id));
    case "dispute":
      return fetchCharge(provider, await provider.readDisputed(id));
  }
}

/** Reading our own rows is cheap, so one fact refreshes everything about its customer. */
async function fetchFromFacts(
  provider: BillingProvider,
  id: string,
  bought?: CheckoutSnapshot,
): Promise<ProviderSnapshot> {
  const subscription = await provider.readSubscription(id);
  const customerId = subscription?.customerId ?? "";
  const userId = await findOwner({ provider: provider.name, customerId });
  // Nobody's, so it is only reported.
  if (subscription === null || userId === null)
    return { ...(await fetchSubscriptions(provider, [id])), checkouts: bought ? [bought] : [] };
  const { checkoutId } = subscription;
  const snapshot = await fetchCustomer(provider, { userId, customerId });
  const checkout = bought ?? (checkoutId === null ? null : await provider.readCheckout(checkoutId));
  return { ...snapshot, checkouts: checkout === null ? [] : [checkout] };
}

/** Only what is sold here: a former provider's prices are not. */
async function fetchOffer(provider: BillingProvider): Promise<ProviderSnapshot> {
  const begun = await beginSnapshot(provider.name);
  return sellingOffer()?.name === provider.name ? { ...begun, offer: await provider.readOffer() } : begun;
}

/** A deleted customer's subscriptions end, too; credit and address change what is charged. */
async function fetchCustomerEvent(provider: BillingProvider, id: string): Promise<ProviderSnapshot> {
  const begun = await beginSnapshot(provider.name);
  const customer = await provider.readCustomer(id);
  const owner = customer === null ? null : await findOwner({ provider: provider.name, customerId: id });
  const ids = owner === null ? [] : await listOpenSubscriptions(owner, provider.name);
  return { ...(await fetchSubscriptions(provider, ids, begun)), customer };
}

async function fetchCheckout(provider: BillingProvider, id: string): Promise<ProviderSnapshot> {
  const checkout = await provider.readCheckout(id);
  if (checkout?.subscriptionId && capabilitiesOf(provider.name).truth === "facts")
    return fetchFromFacts(provider, checkout.subscriptionId, checkout);
  const snapshot = await fetchSubscriptions(provider, [checkout?.subscriptionId ?? null]);
  const buyer = checkout?.status === "completed" ? checkout.customerId : null;
  const customer = buyer === null ? null : await provider.readCustomer(buyer);
  return { ...snapshot, customer, checkouts: checkout === null ? [] : [checkout] };
}

async function fetchInvoice(provider: BillingProvider, id: string): Promise<ProviderSnapshot> {
  const begun = await beginSnapshot(provider.name);
  const invoice = await provider.readInvoice(id);
  if (invoice === null) return begun;
  return { ...(await fetchSubscriptions(provider, [invoice.subscriptionId], begun)), invoices: [invoice] };
}

async function fetchCharge(
  provider: BillingProvider,
  charge: ChargeSnapshot | null,
): Promise<ProviderSnapshot> {
  if (charge === null) return beginSnapshot(provider.name);
  const customerId = charge.customerId ?? "";
  if ((await findOwner({ provider: provider.name, customerId })) === null) {
    const notOurs = { kind: "customer", id: customerId, what: "otherSite" } as const;
    return { ...(await beginSnapshot(provider.name)), differences: [notOurs] };
  }
  const snapshot = await fetchSubscriptions(provider, [charge.subscriptionId]);
  const invoice = charge.invoiceId === null ? null : await provider.readInvoice(charge.invoiceId);
  return { ...snapshot, invoices: invoice === null ? [] : [invoice], charges: [charge] };
}
