import type Stripe from "stripe";
import { DAY_SECONDS } from "../../stand-in/clock.ts";
import { declinedCard, refusal } from "../payments/cards.ts";
import { charge } from "../payments/charge.ts";
import { orderTransfer } from "../payments/order-transfer.ts";
import type { Account } from "../state/account.ts";
import { declined, type Fault } from "../state/fault.ts";
import { idOf } from "../state/ids.ts";
import { endSubscription } from "./end-subscription.ts";

/** The days between a failed payment and the next attempt; the last failure is final. */
const RETRY_DAYS = [3, 5, 7];

interface Attempt {
  /** The customer is present and can confirm the payment. */
  isPresent: boolean;
  /** The attempt belongs to the retry schedule: it is counted, and another follows. */
  isScheduled: boolean;
  /** A bank transfer arrives or is returned; the attempt was counted when the transfer was ordered. */
  isArrival?: boolean;
  method?: Stripe.PaymentMethod | null;
}

/**
 * Charges what is due, or orders a bank transfer. Returns the reason for a failure. The subscription's status is
 * updated accordingly.
 */
export function payInvoice(account: Account, invoice: Stripe.Invoice, attempt: Attempt): Fault | null {
  const subscription = subscriptionOf(account, invoice);
  const method = attempt.method ?? (subscription && cardOf(account, subscription));
  if (method?.us_bank_account && !attempt.isArrival && invoice.amount_due > 0) {
    orderTransfer(account, invoice);
    return null;
  }
  const fault = invoice.amount_due === 0 ? null : refusalOf(account, subscription, method, attempt);
  if (method && invoice.amount_due > 0) charge(account, invoice, { method, fault });
  if (fault) failed(account, invoice, fault, attempt);
  else paid(account, invoice);
  if (subscription) settle(account, subscription, invoice, { isPaid: !fault });
  return fault;
}

function subscriptionOf(account: Account, invoice: Stripe.Invoice): Stripe.Subscription | null {
  return account.state.subscriptions[idOf(invoice.parent?.subscription_details?.subscription) ?? ""] ?? null;
}

export function cardOf(account: Account, subscription: Stripe.Subscription): Stripe.PaymentMethod | null {
  const customer = account.state.customers[idOf(subscription.customer) ?? ""];
  const own = idOf(subscription.default_payment_method);
  const usual = idOf(customer?.invoice_settings.default_payment_method);
  return account.state.paymentMethods[own ?? usual ?? ""] ?? null;
}

function refusalOf(
  account: Account,
  subscription: Stripe.Subscription | null,
  method: Stripe.PaymentMethod | null,
  { isPresent }: Attempt,
): Fault | null {
  if (!method) {
    return declined({ code: "missing", message: "This customer has no attached payment source." });
  }
  const timers = subscription && account.timersOf(subscription.id);
  if (timers && timers.failingPayments > 0) {
    timers.failingPayments--;
    return declinedCard();
  }
  return method.card ? refusal(method.card.last4, { isPresent }) : null;
}

function paid(account: Account, invoice: Stripe.Invoice): void {
  invoice.status = "paid";
  invoice.attempted = true;
  invoice.attempt_count = Math.max(1, invoice.attempt_count);
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.auto_advance = false;
  invoice.status_transitions.paid_at = account.now();
  for (const payment of Object.values(account.state.invoicePayments)) {
    if (payment.invoice !== invoice.id) continue;
    payment.status = "paid";
    payment.amount_paid = invoice.amount_paid;
    payment.status_transitions.paid_at = account.now();
  }
  account.record("invoice.paid", invoice);
  account.record("invoice.payment_succeeded", invoice);
}

function failed(account: Account, invoice: Stripe.Invoice, fault: Fault, attempt: Attempt): void {
  account.change("invoice.updated", invoice, () => {
    invoice.attempted = true;
    if (!attempt.isScheduled) {
      invoice.attempt_count = Math.max(1, invoice.attempt_count);
      return;
    }
    if (!attempt.isArrival) invoice.attempt_count++;
    const days = RETRY_DAYS[invoice.attempt_count - 1];
    const isFirst = invoice.billing_reason === "subscription_create";
    invoice.next_payment_attempt = isFirst || days === undefined ? null : account.now() + days * DAY_SECONDS;
  });
  account.record("invoice.payment_failed", invoice);
  if (fault.error.code === "authentication_required") {
    account.record("invoice.payment_action_required", invoice);
  }
}

function settle(
  account: Account,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  { isPaid }: { isPaid: boolean },
): void {
  if (["canceled", "incomplete_expired"].includes(subscription.status)) return;
  if (subscription.latest_invoice !== invoice.id) return;
  const isFirst = subscription.status === "incomplete";
  const isOver = invoice.attempt_count > RETRY_DAYS.length && invoice.next_payment_attempt === null;
  account.change("customer.subscription.updated", subscription, () => {
    if (isPaid) {
      if (["incomplete", "past_due", "unpaid"].includes(subscription.status)) subscription.status = "active";
    } else if (!isFirst && subscription.status !== "unpaid") {
      subscription.status = isOver && account.afterRetries === "unpaid" ? "unpaid" : "past_due";
    }
  });
  if (!isPaid && !isFirst && isOver && account.afterRetries === "canceled") {
    endSubscription(account, subscription, { reason: "payment_failed" });
  }
}
