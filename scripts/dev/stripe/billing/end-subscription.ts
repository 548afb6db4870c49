import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { voidInvoice } from "./issue-invoice.ts";

type Reason = Stripe.Subscription.CancellationDetails.Reason;

/** Ends it now. An invoice that is still open stays so, and nobody tries to collect it again. */
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
  subscription.status = "canceled";
  subscription.ended_at = account.now();
  subscription.canceled_at ??= account.now();
  subscription.cancellation_details = { comment, feedback, feedback_option: null, reason };
  account.record("customer.subscription.deleted", subscription);
}

/** What becomes of a purchase that nobody paid within 23 hours. */
export function expireSubscription(account: Account, subscription: Stripe.Subscription): void {
  for (const invoice of Object.values(account.state.invoices)) {
    if (invoice.parent?.subscription_details?.subscription === subscription.id) voidInvoice(account, invoice);
  }
  account.change("customer.subscription.updated", subscription, () => {
    subscription.status = "incomplete_expired";
    subscription.ended_at = account.now();
  });
}

/** As the hosted page does it, which leaves the flag alone: on a day, or on none. */
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

/** Lets it run to the end of what is paid, or takes that back. */
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
