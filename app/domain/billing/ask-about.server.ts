import { askedNow } from "./asked-at.server.ts";
import { endReturned } from "./end-returned.server.ts";
import { type Findings, nothingFound } from "./findings.server.ts";
import { findOwner, listOpenSubscriptions } from "./owner.server.ts";
import type { BillingProvider, ChargeSnapshot, EventSubject } from "./providers/provider.ts";
import { endSecondTrial } from "./trials.server.ts";

export type Subject = Exclude<EventSubject, { kind: "none" }>;

/** Asks the provider for what an event is about, and for what may have become different with it. */
export async function askAbout(provider: BillingProvider, { kind, id }: Subject): Promise<Findings> {
  switch (kind) {
    case "product":
    case "price":
      return { ...(await begin()), offer: await provider.readOffer() };
    case "customer":
      return askAboutCustomer(provider, id);
    case "checkout":
      return askAboutCheckout(provider, id);
    case "subscription":
      return askAboutSubscription(provider, id);
    case "invoice":
      return askAboutInvoice(provider, id);
    case "charge":
      return askAboutCharge(provider, await provider.readCharge(id));
    case "dispute":
      return askAboutCharge(provider, await provider.readDisputed(id));
  }
}

export async function askAboutSubscription(provider: BillingProvider, id: string | null): Promise<Findings> {
  return askAboutSubscriptions(provider, id === null ? [] : [id]);
}

/** One that is deleted has lost its subscriptions with it; credit and address change what others are charged. */
async function askAboutCustomer(provider: BillingProvider, id: string): Promise<Findings> {
  const askedAt = await askedNow();
  const customer = await provider.readCustomer(id);
  const owner = customer === null ? null : await findOwner(id);
  const ids = owner === null ? [] : await listOpenSubscriptions(owner, provider.name);
  return { ...(await askAboutSubscriptions(provider, ids)), askedAt, customer };
}

async function askAboutCheckout(provider: BillingProvider, id: string): Promise<Findings> {
  const checkout = await provider.readCheckout(id);
  const findings = await askAboutSubscription(provider, checkout?.subscriptionId ?? null);
  const buyer = checkout?.status === "completed" ? checkout.customerId : null;
  const customer = buyer === null ? null : await provider.readCustomer(buyer);
  return { ...findings, customer, checkouts: checkout === null ? [] : [checkout] };
}

async function askAboutInvoice(provider: BillingProvider, id: string): Promise<Findings> {
  const askedAt = await askedNow();
  const invoice = await provider.readInvoice(id);
  if (invoice === null) return begin();
  const findings = await askAboutSubscription(provider, invoice.subscriptionId);
  return { ...findings, askedAt, invoices: [invoice] };
}

async function askAboutCharge(provider: BillingProvider, charge: ChargeSnapshot | null): Promise<Findings> {
  if (charge === null) return begin();
  const isOurs = charge.customerId !== null && (await findOwner(charge.customerId)) !== null;
  if (!isOurs)
    return { ...(await begin()), told: [{ kind: "customer", id: charge.customerId ?? "", what: "foreign" }] };
  await endReturned(provider, [charge], { isDryRun: false });
  const findings = await askAboutSubscription(provider, charge.subscriptionId);
  const invoice = charge.invoiceId === null ? null : await provider.readInvoice(charge.invoiceId);
  return { ...findings, invoices: invoice === null ? [] : [invoice], returned: [charge] };
}

async function askAboutSubscriptions(provider: BillingProvider, ids: string[]): Promise<Findings> {
  const findings = await begin();
  for (const id of ids) {
    const subscription = await provider.readSubscription(id);
    if (subscription === null) findings.unknownSubscriptions.push(id);
    else findings.subscriptions.push(await endSecondTrial(provider, subscription));
  }
  return findings;
}

async function begin(): Promise<Findings> {
  return nothingFound(await askedNow());
}
