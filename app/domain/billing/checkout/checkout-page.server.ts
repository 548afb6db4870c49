import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import {
  type BillingProvider,
  type CheckoutOrder,
  type CheckoutSnapshot,
  CustomerUnknown,
  OrderRefused,
  ProviderUnreachable,
} from "../providers/contract/provider.ts";
import { oneAtATime } from "../providers/one-at-a-time.ts";
import { type Person, requireCustomer } from "./checkout-customer.server.ts";
import { closeCheckout, type OpenCheckout, storePage } from "./checkouts.server.ts";

export type PageAnswer =
  | { kind: "page"; url: string }
  | { kind: "over"; snapshot: CheckoutSnapshot | null }
  | { kind: "unsaleable"; refusal: OrderRefused }
  | { kind: "replaced" };

export async function openPage(
  provider: BillingProvider,
  buyer: Person,
  checkout: OpenCheckout,
): Promise<PageAnswer> {
  if (checkout.providerCheckoutId !== null) {
    const snapshot = await provider.readCheckout(checkout.providerCheckoutId);
    if (snapshot?.status !== "open" || snapshot.url === null) return { kind: "over", snapshot };
    return { kind: "page", url: snapshot.url };
  }
  const page = await makePage(provider, buyer, checkout);
  if (page instanceof OrderRefused) return { kind: "unsaleable", refusal: page };
  if (page.url !== null && (await storePage(checkout.id, page))) return { kind: "page", url: page.url };
  await provider.expireCheckout(page.id);
  return { kind: "replaced" };
}

/** Closes a purchase, here and at the provider, so that it can never be paid. A paid one is left as it is. */
export async function withdrawPage(
  provider: BillingProvider,
  buyer: Person,
  checkout: OpenCheckout,
): Promise<PageAnswer> {
  let id = checkout.providerCheckoutId;
  // The page may exist although the answer was lost; repeating the order finds it.
  if (id === null && !checkout.isStale) {
    const page = await makePage(provider, buyer, checkout);
    id = page instanceof OrderRefused ? null : page.id;
  }
  if (id !== null) {
    await provider.expireCheckout(id);
    const snapshot = await provider.readCheckout(id);
    if (snapshot?.status === "completed") return { kind: "over", snapshot };
    if (snapshot?.status === "open") throw new ProviderUnreachable("A page to pay could not be closed.");
  }
  await closeCheckout(checkout.id, "replaced", id);
  return { kind: "replaced" };
}

async function makePage(
  provider: BillingProvider,
  buyer: Person,
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

/** A customer that this account does not know is created again, once. */
async function order(provider: BillingProvider, buyer: Person, checkout: OpenCheckout) {
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
function orderOf({ id, priceId, currency, trialDays }: OpenCheckout, customerId: string): CheckoutOrder {
  return {
    checkoutId: id,
    customerId,
    priceId,
    currency,
    trialDays,
    returnUrl: config.origin + paths.subscribeReturn(id),
    cancelUrl: config.origin + paths.subscribeCancelled(),
  };
}
