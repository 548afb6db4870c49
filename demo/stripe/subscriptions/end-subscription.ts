import type Stripe from "stripe";
import { voidInvoice } from "../invoices/issue-invoice.ts";
import type { Account } from "../state/account.ts";
import { cancelSchedule } from "./schedules.ts";

type Reason = Stripe.Subscription.CancellationDetails.Reason;

/** Ends the subscription immediately. Open invoices stay open, but collection stops. */
export function endSubscription(
  account: Account,
  subscription: Stripe.Subscription,
  {
    reason,
    comment = null,
    feedback = null,
  }: {
    reason: Reason;
    comment?: string | null;
    feedback?: Stripe.Subscription.CancellationDetails.Feedback | null;
  },
): void {
  for (const invoice of Object.values(account.state.invoices)) {
    if (invoice.parent?.subscription_details?.subscription !== subscription.id) continue;
    if (invoice.status !== "open" && invoice.status !== "draft") continue;
    account.change("invoice.updated", invoice, () => {
      invoice.auto_advance = false;
      invoice.next_payment_attempt = null;
    });
  }
  cancelSchedule(account, subscription);
  subscription.status = "canceled";
  subscription.ended_at = account.now();
  subscription.canceled_at ??= account.now();
  subscription.cancellation_details = { comment, feedback, feedback_option: null, reason };
  account.record("customer.subscription.deleted", subscription);
}

/** A purchase expires when nobody pays it within 23 hours. */
export function expireSubscription(account: Account, subscription: Stripe.Subscription): void {
  for (const invoice of Object.values(account.state.invoices)) {
    if (invoice.parent?.subscription_details?.subscription === subscription.id) voidInvoice(account, invoice);
  }
  account.change("customer.subscription.updated", subscription, () => {
    subscription.status = "incomplete_expired";
    subscription.ended_at = account.now();
  });
}

/** Cancels on a date, or on none, as the hosted page does: cancel_at_period_end stays false. */
export function cancelOn(account: Account, subscription: Stripe.Subscription, at: number | null): void {
  account.change("customer.subscription.updated", subscription, () => {
    if (subscription.cancel_at === at) return;
    subscription.cancel_at = at;
    subscription.cancel_at_period_end = false;
    subscription.canceled_at = at === null ? null : account.now();
    subscription.cancellation_details = {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: at === null ? null : "cancellation_requested",
    };
  });
}

/** Sets or clears the cancellation at the period's end. */
export function cancelAtPeriodEnd(
  account: Account,
  subscription: Stripe.Subscription,
  isCancelled: boolean,
): void {
  account.change("customer.subscription.updated", subscription, () => {
    if (subscription.cancel_at_period_end === isCancelled) return;
    subscription.cancel_at_period_end = isCancelled;
    subscription.cancel_at = isCancelled ? (subscription.items.data[0]?.current_period_end ?? null) : null;
    subscription.canceled_at = isCancelled ? account.now() : null;
    subscription.cancellation_details = {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: isCancelled ? "cancellation_requested" : null,
    };
  });
}
