import type Stripe from "stripe";
import { isUncollectedAt } from "#app/domain/access/subscription-state.ts";
import type { PaymentMethod } from "#db/schema/auth.ts";
import { collectionPause, subscriptionStatus, trialEndWithoutCard } from "#db/schema/subscriptions.ts";
import type { SubscriptionSnapshot } from "../contract/provider.ts";
import { checkoutOf, dateOf, idOf, isOfOtherSite, knownWord } from "./objects.ts";
import { priceOf, productOf } from "./read-offer.server.ts";

export const SUBSCRIPTION_PARTS = [
  "default_payment_method",
  "customer.invoice_settings.default_payment_method",
  "items.data.price.product",
  "latest_invoice",
];

/** Methods with a fingerprint, which is the same for one card or bank account, whoever pays with it. */
const WITH_FINGERPRINT = [
  "card",
  "us_bank_account",
  "sepa_debit",
  "bacs_debit",
  "acss_debit",
  "au_becs_debit",
] as const satisfies (keyof Stripe.PaymentMethod)[];

type Method = Pick<Stripe.PaymentMethod, (typeof WITH_FINGERPRINT)[number]>;

/** The period's dates are on the item since API version 2025-03-31; all of ours have one. */
export function subscriptionSnapshot(
  subscription: Stripe.Subscription,
  { nextAmount, isPaymentPending }: { nextAmount: number | null; isPaymentPending: boolean },
): SubscriptionSnapshot {
  const [item, ...others] = subscription.items.data;
  // Amounts in a price's other currencies are not stored, and its own would be wrong.
  const isInOwnCurrency = item?.price.currency === subscription.currency;
  const isRead = item && others.length === 0 && isInOwnCurrency;
  const price = isRead ? priceOf(item.price, idOf(item.price.product)) : null;
  const isPriced = price !== null && typeof price !== "string";
  const product = item?.price.product;
  const method = methodOf(subscription);
  const { pause_collection: pause } = subscription;
  const isKnown = typeof product === "object" && !product.deleted;
  return {
    id: subscription.id,
    provider: "stripe",
    customerId: idOf(subscription.customer),
    status: knownWord(subscriptionStatus.enumValues, subscription.status),
    priceId: item?.price.id ?? "",
    quantity: item?.quantity ?? 1,
    cancelAtPeriodEnd: isEnding(subscription),
    created: dateOf(subscription.created),
    currentPeriodStart: dateOf(item?.current_period_start ?? subscription.start_date),
    currentPeriodEnd: dateOf(item?.current_period_end ?? subscription.start_date),
    trialStart: dateOf(subscription.trial_start),
    trialEnd: dateOf(subscription.trial_end),
    cancelAt: dateOf(subscription.cancel_at),
    canceledAt: dateOf(subscription.canceled_at),
    endedAt: dateOf(subscription.ended_at),
    nextAmount,
    isPaymentPending,
    collectionPause: pause && pauseBehaviorOf(pause),
    collectionResumesAt: dateOf(pause?.resumes_at),
    trialEndWithoutCard: trialEndWithoutCardOf(subscription),
    isInvoiced: subscription.collection_method === "send_invoice",
    isPrepaid: false,
    hasBegun: hasBegun(subscription),
    metadata: subscription.metadata,
    price: isPriced ? price : null,
    product: isKnown ? productOf(product) : null,
    checkoutId: checkoutOf(subscription.metadata),
    soldTerms: null,
    fingerprint: method && fingerprintOf(method),
    isOtherSite: isOfOtherSite(subscription.metadata),
    hasOtherSitesPrice:
      (isPriced && isOfOtherSite(price.metadata)) || (isKnown && isOfOtherSite(product.metadata)),
  };
}

/** A subscription that ended before its first payment is "canceled", too. Only its unpaid first invoice shows the difference. */
function hasBegun({ status, latest_invoice: invoice }: Stripe.Subscription): boolean {
  if (status === "incomplete" || status === "incomplete_expired") return false;
  if (status !== "canceled" || invoice === null || typeof invoice === "string") return true;
  return invoice.billing_reason !== "subscription_create" || invoice.status === "paid";
}

/** Stripe's portal sets a date instead of the flag. A date after this period is not its end. */
export function isEnding({ cancel_at_period_end, cancel_at, items }: Stripe.Subscription): boolean {
  const end = items.data[0]?.current_period_end ?? 0;
  return cancel_at_period_end || (cancel_at !== null && cancel_at <= end);
}

/** An unknown behavior is also a pause. It counts as kept drafts, which promise the member the least. */
function pauseBehaviorOf({ behavior }: Stripe.Subscription.PauseCollection) {
  return collectionPause.enumValues.find((word) => word === behavior) ?? "keep_as_draft";
}

export function isCollected({ pause_collection: pause, items }: Stripe.Subscription): boolean {
  const due = dateOf(items.data[0]?.current_period_end ?? 0);
  const collectionPause = pause && pauseBehaviorOf(pause);
  return !isUncollectedAt({ collectionPause, collectionResumesAt: dateOf(pause?.resumes_at) }, due);
}

export function trialEndWithoutCardOf(subscription: Stripe.Subscription) {
  const { status, customer, trial_settings, collection_method } = subscription;
  if (status !== "trialing" || collection_method === "send_invoice") return null;
  const customerHasSource =
    typeof customer === "object" && !customer.deleted && customer.default_source !== null;
  if (methodOf(subscription) !== null || subscription.default_source !== null || customerHasSource)
    return null;
  const behavior = trial_settings?.end_behavior.missing_payment_method;
  return trialEndWithoutCard.enumValues.find((word) => word === behavior) ?? null;
}

function methodOf({
  default_payment_method: own,
  customer,
}: Stripe.Subscription): Stripe.PaymentMethod | null {
  if (typeof own === "object" && own !== null) return own;
  if (typeof customer === "string" || customer.deleted) return null;
  const usual = customer.invoice_settings.default_payment_method;
  return typeof usual === "object" ? usual : null;
}

export function paymentMethodOf(method: Stripe.PaymentMethod): PaymentMethod {
  const { card, type } = method;
  if (card) return { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year };
  const bank = WITH_FINGERPRINT.find((one) => method[one]);
  return { brand: type, last4: (bank && method[bank]?.last4) ?? null, expMonth: null, expYear: null };
}

export function fingerprintOf(method: Method): string | null {
  const kind = WITH_FINGERPRINT.find((one) => method[one]?.fingerprint);
  return (kind && method[kind]?.fingerprint) ?? null;
}
