import type Stripe from "stripe";
import type { z } from "zod";
import { mergeMetadata } from "../http/params.ts";
import type { update } from "../http/subscription-params.ts";
import { startDiscount } from "../invoices/discounts.ts";
import { itemOf, requirePrice } from "../invoices/items.ts";
import { type Account, required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { changePrice } from "./change-price.ts";
import { cancelAtPeriodEnd } from "./end-subscription.ts";
import { billPeriod, restartPeriod } from "./renew.ts";
import { requireUnscheduled } from "./schedules.ts";

type Params = z.infer<typeof update>;

export function updateSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  params: Params,
): Stripe.Subscription {
  requireChangeable(subscription);
  if (params.cancel_at_period_end !== undefined || params.cancel_at !== undefined) {
    requireUnscheduled(subscription);
  }
  const { default_payment_method: method, items, trial_end } = params;
  if (method) required(account.state.paymentMethods, "PaymentMethod", method, "default_payment_method");
  const [change] = items ?? [];
  const item = itemOf(subscription);
  if (change?.id !== undefined) {
    required({ [item.id]: item }, "subscription_item", change.id, "items[0][id]");
  } else if (change) throw invalid("A subscription has only one item: name that one.", "items[0][id]");
  const price =
    change?.price === undefined ? item.price : requirePrice(account, change.price, "items[0][price]");
  setPlainFields(account, subscription, params);
  setDiscount(account, subscription, params.discounts);
  if (params.cancel_at_period_end !== undefined) {
    cancelAtPeriodEnd(account, subscription, params.cancel_at_period_end);
  }
  sayWhy(account, subscription, params.cancellation_details);
  const quantity = change?.quantity ?? item.quantity ?? 1;
  if (price.id !== item.price.id || quantity !== item.quantity) {
    changePrice(account, subscription, { price, quantity, proration: params.proration_behavior });
  }
  if (trial_end !== undefined) moveTrialEnd(account, subscription, trial_end);
  return subscription;
}

export function requireChangeable({ id, status }: Stripe.Subscription): void {
  if (status === "canceled" || status === "incomplete_expired") {
    throw invalid(
      `A canceled subscription can only update its cancellation_details and metadata (${id}).`,
      undefined,
      "subscription_canceled",
    );
  }
}

function setPlainFields(
  account: Account,
  subscription: Stripe.Subscription,
  { cancel_at, pause_collection: pause, ...params }: Params,
): void {
  account.change("customer.subscription.updated", subscription, () => {
    if (params.metadata !== undefined) {
      subscription.metadata = mergeMetadata(subscription.metadata, params.metadata);
    }
    if (params.default_payment_method !== undefined) {
      subscription.default_payment_method = params.default_payment_method;
    }
    if (params.description !== undefined) subscription.description = params.description;
    if (pause !== undefined) {
      subscription.pause_collection =
        pause === "" ? null : { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null };
    }
    if (cancel_at === undefined) return;
    subscription.cancel_at = cancel_at === "" ? null : cancel_at;
    subscription.canceled_at = cancel_at === "" ? null : account.now();
    subscription.cancel_at_period_end = false;
  });
}

function setDiscount(
  account: Account,
  subscription: Stripe.Subscription,
  discounts: Params["discounts"],
): void {
  if (discounts === undefined) return;
  const [given] = discounts || [];
  account.change("customer.subscription.updated", subscription, () => {
    subscription.discounts = [];
    startDiscount(account, subscription, {
      promotionCode: given?.promotion_code ?? null,
      coupon: given?.coupon ?? null,
    });
  });
}

/** Records the reason for leaving, as a comment or as one of Stripe's options. */
function sayWhy(
  account: Account,
  subscription: Stripe.Subscription,
  said: Params["cancellation_details"],
): void {
  const details = subscription.cancellation_details;
  if (!said || !details) return;
  account.change("customer.subscription.updated", subscription, () => {
    details.comment = said.comment ?? details.comment;
    details.feedback = said.feedback ?? details.feedback;
  });
}

function moveTrialEnd(account: Account, subscription: Stripe.Subscription, end: number | "now"): void {
  if (end === "now" || end <= account.now()) {
    if (subscription.status !== "trialing") return;
    account.change("customer.subscription.updated", subscription, () => {
      subscription.trial_end = account.now();
    });
    restartPeriod(account, subscription);
    billPeriod(account, subscription, "subscription_update");
    return;
  }
  account.change("customer.subscription.updated", subscription, () => {
    const item = itemOf(subscription);
    subscription.status = "trialing";
    subscription.trial_start ??= account.now();
    subscription.trial_end = end;
    subscription.billing_cycle_anchor = end;
    item.current_period_end = end;
    if (subscription.cancel_at_period_end) subscription.cancel_at = end;
  });
}
