import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { requireCustomer } from "./checkout-customer.server.ts";
import { closeCheckout, type OpenCheckout, storePage } from "./checkout-rows.server.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import {
  type BillingProvider,
  type CheckoutOrder,
  type CheckoutSnapshot,
  CustomerUnknown,
  OrderRefused,
  ProviderUnreachable,
} from "./providers/provider.ts";

interface Buyer {
  userId: string;
  email: string;
}

/** The page of an open purchase, or what became of it instead. */
export type PageAnswer =
  | { kind: "page"; url: string }
  /** The provider's word on a purchase that is over; null when it knows none. */
  | { kind: "over"; snapshot: CheckoutSnapshot | null }
  | { kind: "unsaleable"; refusal: OrderRefused }
  /** Another tab has chosen something else. */
  | { kind: "replaced" };

/** The page of a purchase, made when there is none yet. */
export async function openPage(
  provider: BillingProvider,
  buyer: Buyer,
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

/** Closes a purchase, here and at the provider, so that it can never be paid. What it finds paid it leaves. */
export async function withdrawPage(
  provider: BillingProvider,
  buyer: Buyer,
  checkout: OpenCheckout,
): Promise<PageAnswer> {
  let id = checkout.providerCheckoutId;
  // It may have been made, and only the answer lost: the same order finds it.
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

/** A refusal when the provider will not sell this; the row is over then. */
async function makePage(
  provider: BillingProvider,
  buyer: Buyer,
  checkout: OpenCheckout,
): Promise<CheckoutSnapshot | OrderRefused> {
  try {
    // Two with the same key at once would be in each other's way at the provider's.
    return await oneAtATime(checkout.id, "order", () => order(provider, buyer, checkout));
  } catch (error) {
    const refusal = error instanceof OrderRefused ? error : null;
    // A failure that the provider keeps with the key would come again for a day.
    if (refusal || checkout.isStale) await closeCheckout(checkout.id, "expired", null);
    if (refusal) return refusal;
    throw error;
  }
}

/** Whom another account knew, this one makes anew, once. */
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

/** Made of the row and the customer alone: a provider takes a key only for the very same order. */
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
