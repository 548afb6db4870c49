import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { endSubscription } from "./end-subscription.ts";
import { issueInvoice, voidInvoice } from "./issue-invoice.ts";
import { itemOf, lineOf } from "./items.ts";
import { cardOf, payInvoice } from "./pay-invoice.ts";
import { periodEnd } from "./periods.ts";

/** The next period begins, with its invoice. */
export function renew(account: Account, subscription: Stripe.Subscription): void {
  const item = itemOf(subscription);
  account.change("customer.subscription.updated", subscription, () => {
    item.current_period_start = item.current_period_end;
    item.current_period_end = periodEnd(
      item.current_period_start,
      item.price.recurring,
      subscription.billing_cycle_anchor,
    );
    if (subscription.status === "trialing") subscription.status = "active";
  });
  billPeriod(account, subscription);
}

/** Trials with a card become periods; those without do what was agreed when they began. */
export function endTrial(account: Account, subscription: Stripe.Subscription): void {
  const agreed = subscription.trial_settings?.end_behavior.missing_payment_method;
  const hasCard = cardOf(account, subscription) !== null;
  if (!hasCard && agreed === "cancel") {
    endSubscription(account, subscription, { reason: "payment_failed" });
    return;
  }
  if (!hasCard && agreed === "pause") {
    account.change("customer.subscription.updated", subscription, () => {
      subscription.status = "paused";
    });
    account.record("customer.subscription.paused", subscription);
    return;
  }
  renew(account, subscription);
}

/** Another beginning, today: after a pause, after a trial cut short, or at another price. */
export function restartPeriod(account: Account, subscription: Stripe.Subscription): void {
  const item = itemOf(subscription);
  account.change("customer.subscription.updated", subscription, () => {
    item.current_period_start = account.now();
    item.current_period_end = periodEnd(account.now(), item.price.recurring, account.now());
    subscription.billing_cycle_anchor = account.now();
    if (subscription.status === "trialing" || subscription.status === "paused") {
      subscription.status = "active";
    }
  });
}

/** Writes the invoice of the present period and takes the money, unless collection is paused. */
export function billPeriod(
  account: Account,
  subscription: Stripe.Subscription,
  reason: "subscription_cycle" | "subscription_update" = "subscription_cycle",
): void {
  const behavior = subscription.pause_collection?.behavior;
  const isDraft = subscription.status === "unpaid" || behavior === "keep_as_draft";
  const lines = [lineOf(account, itemOf(subscription))];
  const invoice = issueInvoice(account, subscription, { reason, lines, isDraft });
  if (isDraft) return;
  if (behavior === "void") voidInvoice(account, invoice);
  else if (behavior === "mark_uncollectible") {
    account.change("invoice.marked_uncollectible", invoice, () => {
      invoice.status = "uncollectible";
      invoice.status_transitions.marked_uncollectible_at = account.now();
    });
  } else payInvoice(account, invoice, { isPresent: false, isScheduled: true });
}
