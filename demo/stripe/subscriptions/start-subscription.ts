import type Stripe from "stripe";
import { startDiscount } from "../invoices/discounts.ts";
import { issueInvoice } from "../invoices/issue-invoice.ts";
import { lineOf, makeItems } from "../invoices/items.ts";
import type { Account } from "../state/account.ts";
import type { Fault } from "../state/fault.ts";
import { newId } from "../state/ids.ts";
import { periodEnd } from "../state/periods.ts";
import { payInvoice } from "./pay-invoice.ts";

export interface NewSubscription {
  id?: string;
  customer: string;
  price: Stripe.Price;
  /** The price's own, or another one that it is sold in. */
  currency: string;
  quantity: number;
  /** Seconds since 1970. */
  trialEnd: number | null;
  whenCardIsMissing: Stripe.Subscription.TrialSettings.EndBehavior.MissingPaymentMethod;
  paymentMethod: string | null;
  promotionCode: string | null;
  coupon: string | null;
  hasAutomaticTax: boolean;
  metadata: Stripe.Metadata;
  description: string | null;
  cancelAtPeriodEnd: boolean;
  /** The buyer is present and can confirm the first payment. */
  isPresent: boolean;
  /** false leaves the first invoice open for the buyer to pay. */
  paysNow: boolean;
}

/**
 * Starts a trial, or the first period with its invoice. An unpaid subscription is incomplete, and the fault gives the
 * reason.
 */
export function startSubscription(
  account: Account,
  given: NewSubscription,
): { subscription: Stripe.Subscription; invoice: Stripe.Invoice; fault: Fault | null } {
  const subscription = makeSubscription(account, given);
  account.state.subscriptions[subscription.id] = subscription;
  startDiscount(account, subscription, given);
  account.record("customer.subscription.created", subscription);
  const isTrial = subscription.status === "trialing";
  const invoice = issueInvoice(account, subscription, {
    reason: "subscription_create",
    lines: [lineOf(account, subscription, { isTrial })],
  });
  const fault =
    given.paysNow || invoice.amount_due === 0
      ? payInvoice(account, invoice, { isPresent: given.isPresent, isScheduled: true })
      : null;
  return { subscription, invoice, fault };
}

function makeSubscription(account: Account, given: NewSubscription): Stripe.Subscription {
  const id = given.id ?? newId("sub");
  const now = account.now();
  const isTrial = given.trialEnd !== null && given.trialEnd > now;
  const end = isTrial && given.trialEnd ? given.trialEnd : periodEnd(now, given.price.recurring, now);
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: {
      disabled_reason: null,
      enabled: given.hasAutomaticTax,
      liability: given.hasAutomaticTax ? { type: "self" } : null,
    },
    billing_cycle_anchor: isTrial ? end : now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible", updated_at: now },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: given.cancelAtPeriodEnd ? end : null,
    cancel_at_period_end: given.cancelAtPeriodEnd,
    canceled_at: given.cancelAtPeriodEnd ? now : null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: "charge_automatically",
    created: now,
    currency: given.currency,
    customer: given.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: given.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: given.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: makeItems(id, given.price, { quantity: given.quantity, start: now, end, created: now }),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: given.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: "off",
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: isTrial ? "trialing" : "incomplete",
    test_clock: null,
    transfer_data: null,
    trial_end: isTrial ? end : null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: given.whenCardIsMissing },
    },
    trial_start: isTrial ? now : null,
  };
}
