import type Stripe from "stripe";
import { wholeList } from "../http/lists.ts";
import type { Account } from "../state/account.ts";
import { idOf, newId } from "../state/ids.ts";
import type { PendingLine } from "../state/state.ts";
import { discountsOn } from "./discounts.ts";
import { buildLine } from "./invoice-line.ts";
import { itemOf } from "./items.ts";
import { taxesOf, taxOn, withTax } from "./tax.ts";

export type BillingReason = Stripe.Invoice.BillingReason;

/** Builds a draft of what a subscription owes, without storing or announcing it. */
export function buildInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  {
    reason,
    lines,
    id = newId("in"),
    at = account.now(),
  }: { reason: BillingReason; lines: PendingLine[]; id?: string; at?: number },
): Stripe.Invoice {
  const customer = account.state.customers[idOf(subscription.customer) ?? ""];
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const discounts = discountsOn(account, subscription, subtotal, at);
  const sum = subtotal - discounts.reduce((all, { amount }) => all + amount, 0);
  const tax = taxOn(sum, itemOf(subscription).price, subscription.automatic_tax.enabled);
  const { total, net } = withTax(sum, tax);
  // A negative balance is the customer's credit.
  const balance = customer?.balance ?? 0;
  const due = Math.max(0, total + balance);
  const now = account.now();
  return {
    id,
    object: "invoice",
    account_country: "US",
    account_name: "Stand-in",
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: subscription.automatic_tax.enabled,
      liability: subscription.automatic_tax.enabled ? { type: "self" } : null,
      provider: subscription.automatic_tax.enabled ? "stripe" : null,
      status: subscription.automatic_tax.enabled ? "complete" : null,
    },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: "charge_automatically",
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: subscription.customer,
    customer_account: null,
    customer_address: null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: discounts.map(({ discount }) => discount),
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
    lines: wholeList(
      `/v1/invoices/${id}/lines`,
      lines.map((line) => buildLine(account, subscription, id, line)),
    ),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: "subscription_details",
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: balance,
    statement_descriptor: null,
    status: "draft",
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal - (tax.isIncluded ? tax.amount : 0),
    test_clock: null,
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: net,
    total_pretax_credit_amounts: [],
    total_taxes: taxesOf(sum, tax),
    webhooks_delivered_at: null,
  };
}
