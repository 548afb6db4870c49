import type Stripe from "stripe";
import { issueInvoice, voidInvoice, writeOffInvoice } from "../invoices/issue-invoice.ts";
import { itemOf, lineOf } from "../invoices/items.ts";
import type { Account } from "../state/account.ts";
import { periodEnd } from "../state/periods.ts";
import type { PendingLine } from "../state/state.ts";
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

/** Changes within the last period that were not billed at once are billed at its end. */
export function endOnDate(account: Account, subscription: Stripe.Subscription): void {
  if (account.timersOf(subscription.id).pendingLines.length > 0) {
    bill(account, subscription, { reason: "subscription_cycle", lines: [] });
  }
  endSubscription(account, subscription, { reason: "cancellation_requested" });
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

type Reason = "subscription_cycle" | "subscription_update";

export function billPeriod(
  account: Account,
  subscription: Stripe.Subscription,
  reason: Reason = "subscription_cycle",
): void {
  bill(account, subscription, { reason, lines: [lineOf(account, subscription)] });
}

/** Issues an invoice and charges it, unless collection is paused. */
function bill(
  account: Account,
  subscription: Stripe.Subscription,
  { reason, lines }: { reason: Reason; lines: PendingLine[] },
): void {
  const behavior = subscription.pause_collection?.behavior;
  const isDraft = subscription.status === "unpaid" || behavior === "keep_as_draft";
  const invoice = issueInvoice(account, subscription, { reason, lines, isDraft });
  if (isDraft) return;
  if (behavior === "void") voidInvoice(account, invoice);
  else if (behavior === "mark_uncollectible") writeOffInvoice(account, invoice);
  else payInvoice(account, invoice, { isPresent: false, isScheduled: true });
}
