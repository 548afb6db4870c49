import type Stripe from "stripe";
import { issueInvoice, voidInvoice } from "../invoices/issue-invoice.ts";
import { itemOf, lineOf } from "../invoices/items.ts";
import type { Account } from "../state/account.ts";
import { periodEnd } from "../state/periods.ts";
import { endSubscription } from "./end-subscription.ts";
import { cardOf, payInvoice } from "./pay-invoice.ts";
import { releaseSchedule, scheduleOf } from "./schedules.ts";

/** Starts the next period and bills it. */
export function renew(account: Account, subscription: Stripe.Subscription): void {
  const item = itemOf(subscription);
  const schedule = scheduleOf(account, subscription);
  if (schedule !== undefined) releaseSchedule(account, schedule);
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

/** A trial with a card becomes a period; one without does what was agreed at its start. */
export function endTrial(account: Account, subscription: Stripe.Subscription): void {
  const endBehavior = subscription.trial_settings?.end_behavior.missing_payment_method;
  const hasCard = cardOf(account, subscription) !== null;
  if (!hasCard && endBehavior === "cancel") {
    endSubscription(account, subscription, { reason: "payment_failed" });
    return;
  }
  if (!hasCard && endBehavior === "pause") {
    account.change("customer.subscription.updated", subscription, () => {
      subscription.status = "paused";
    });
    account.record("customer.subscription.paused", subscription);
    return;
  }
  renew(account, subscription);
}

/** Starts a new period today: after a pause, after a shortened trial, or at another price. */
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

/** Issues the invoice of the current period and charges it, unless collection is paused. */
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
