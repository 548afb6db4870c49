import { and, eq, sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import type { Checkout } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import {
  type BillingProvider,
  type CheckoutOrder,
  type CheckoutSnapshot,
  CustomerUnknown,
  OrderRefused,
  ProviderUnreachable,
} from "../providers/contract/provider.ts";
import { oneAtATime } from "../providers/one-at-a-time.ts";
import { findClosing } from "../providers/providers.server.ts";
import { orderedTerms } from "../rules/purchase-terms.ts";
import { findCustomerId, isCustomer } from "../subscriptions/customers.server.ts";
import { closeCheckout, type OpenCheckout, storePage } from "./checkout-rows.server.ts";

type PageAnswer =
  | { kind: "page"; url: string }
  | { kind: "over"; snapshot: CheckoutSnapshot | null }
  | { kind: "unsaleable"; refusal: OrderRefused }
  | { kind: "replaced" };

export async function openPage(
  provider: BillingProvider,
  buyer: Buyer,
  checkout: OpenCheckout,
): Promise<PageAnswer> {
  if (checkout.providerCheckoutId !== null) {
    const snapshot = await provider.readCheckout(checkout.providerCheckoutId);
    if (snapshot?.status !== "open" || snapshot.url === null) return { kind: "over", snapshot };
    return { kind: "page", url: wayToPage(checkout, snapshot.url) };
  }
  const page = await makePage(provider, buyer, checkout);
  if (page instanceof OrderRefused) return { kind: "unsaleable", refusal: page };
  if (page.url !== null && (await storePage(checkout.id, page)))
    return { kind: "page", url: wayToPage(checkout, page.url) };
  await findClosing(provider.name)?.expireCheckout(page.id);
  return { kind: "replaced" };
}

/** A page that cannot be closed is reached through ours, which leads there only while the purchase is open. */
export function wayToPage({ id, provider }: Pick<Checkout, "id" | "provider">, url: string): string {
  return findClosing(provider) === null ? paths.subscribePay(id) : url;
}

/** `provider` is null where the page can only be forgotten: it may be paid later. */
export async function closePage(
  provider: BillingProvider | null,
  buyer: Buyer,
  checkout: OpenCheckout,
): Promise<PageAnswer> {
  let id = checkout.providerCheckoutId;
  // The page may exist although the answer was lost; repeating the order finds it.
  if (provider !== null && id === null && !checkout.isStale) {
    const page = await makePage(provider, buyer, checkout);
    id = page instanceof OrderRefused ? null : page.id;
  }
  if (provider !== null && id !== null) {
    await provider.expireCheckout(id);
    const snapshot = await provider.readCheckout(id);
    if (snapshot?.status === "completed") return { kind: "over", snapshot };
    if (snapshot?.status === "open") throw new ProviderUnreachable("A payment page could not be closed.");
  }
  await closeCheckout(checkout.id, "replaced", id);
  return { kind: "replaced" };
}

async function makePage(
  provider: BillingProvider,
  buyer: Buyer,
  checkout: OpenCheckout,
): Promise<CheckoutSnapshot | OrderRefused> {
  try {
    // Two concurrent calls with the same key would conflict at the provider.
    return await oneAtATime(checkout.id, "order", () => order(provider, buyer, checkout));
  } catch (error) {
    const refusal = error instanceof OrderRefused ? error : null;
    // The provider repeats a failure for the same key for a day.
    if (refusal || checkout.isStale) await closeCheckout(checkout.id, "expired", null);
    if (refusal) return refusal;
    throw error;
  }
}

async function order(provider: BillingProvider, buyer: Buyer, checkout: OpenCheckout) {
  const customerId = await requireCustomer(provider, buyer);
  try {
    return await provider.startCheckout(orderOf(checkout, customerId));
  } catch (error) {
    if (!(error instanceof CustomerUnknown)) throw error;
    const another = await requireCustomer(provider, buyer, customerId);
    return provider.startCheckout(orderOf(checkout, another));
  }
}

/** Built from the row and the customer alone: a provider accepts a key again only for an identical order. */
function orderOf(checkout: OpenCheckout, customerId: string): CheckoutOrder {
  const { id, priceId, currency, firstPeriod } = checkout;
  return {
    checkoutId: id,
    customerId,
    priceId,
    currency,
    firstPeriod,
    terms: orderedTerms(checkout),
    returnUrl: config.origin + paths.subscribeReturn(id),
    cancelUrl: config.origin + paths.subscribeCancelled(),
  };
}

interface Buyer {
  userId: string;
  email: string;
}

async function requireCustomer(
  provider: BillingProvider,
  { userId, email }: Buyer,
  unknown: string | null = null,
): Promise<string> {
  const known = await findCustomerId(userId, provider.name);
  if (known !== null && known !== unknown) return known;
  const providerCustomerId = await createCustomer(provider, { userId, email }, unknown);
  const mine = { provider: provider.name, providerCustomerId };
  // Not an upsert: two concurrent ones could conflict on the other unique column.
  await db
    .insert(customers)
    .values({ userId, ...mine })
    .onConflictDoNothing();
  await db
    .update(customers)
    .set({ ...mine, reconciledAt: null, fetchedAt: sql`now()` })
    .where(
      and(eq(customers.userId, userId), isCustomer({ provider: provider.name, customerId: unknown ?? "" })),
    );
  return (await findCustomerId(userId, provider.name)) ?? providerCustomerId;
}

/** The provider repeats its answer for a key for a day, even after the host has deleted that customer there. */
async function createCustomer(provider: BillingProvider, person: Buyer, unknown: string | null) {
  const first = `customer-${person.userId}`;
  const key = unknown === null ? first : `${first}-after-${unknown}`;
  const id = await provider.createCustomer({ ...person, key });
  const customer = await provider.readCustomer(id);
  if (customer !== null && !customer.isDeleted) return id;
  return provider.createCustomer({ ...person, key: `${first}-after-${id}` });
}
