import type Stripe from "stripe";
import type { Account } from "../state/account.ts";
import { idOf } from "../state/ids.ts";
import type { PendingLine } from "../state/state.ts";
import { type BillingReason, buildInvoice } from "./build-invoice.ts";
import { dropUsedDiscounts } from "./discounts.ts";

/** Issues the invoice of a subscription, including pending lines of earlier changes. It is not paid yet. */
export function issueInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  { reason, lines, isDraft = false }: { reason: BillingReason; lines: PendingLine[]; isDraft?: boolean },
): Stripe.Invoice {
  const timers = account.timersOf(subscription.id);
  const invoice = buildInvoice(account, subscription, { reason, lines: [...timers.pendingLines, ...lines] });
  timers.pendingLines = [];
  account.state.invoices[invoice.id] = invoice;
  account.record("invoice.created", invoice);
  if (isDraft) invoice.auto_advance = false;
  else finalizeInvoice(account, invoice);
  account.change("customer.subscription.updated", subscription, () => {
    subscription.latest_invoice = invoice.id;
    if (invoice.total_discount_amounts?.some(({ amount }) => amount > 0)) {
      dropUsedDiscounts(account, subscription);
    }
  });
  return invoice;
}

export function finalizeInvoice(account: Account, invoice: Stripe.Invoice): void {
  const customer = account.state.customers[idOf(invoice.customer) ?? ""];
  const sequence = customer?.next_invoice_sequence ?? 1;
  if (customer) customer.next_invoice_sequence = sequence + 1;
  invoice.number = `${customer?.invoice_prefix ?? "STANDIN"}-${String(sequence).padStart(4, "0")}`;
  takeCredit(account, invoice, customer);
  invoice.status = "open";
  invoice.auto_advance = true;
  invoice.effective_at = account.now();
  invoice.status_transitions.finalized_at = account.now();
  invoice.hosted_invoice_url = `${account.origin}/i/${invoice.id}`;
  invoice.invoice_pdf = `${account.origin}/i/${invoice.id}/pdf`;
  account.record("invoice.finalized", invoice);
}

/** A negative balance is credit. The remainder, or what the invoice adds, carries over to the next invoice. */
function takeCredit(account: Account, invoice: Stripe.Invoice, customer: Stripe.Customer | undefined): void {
  invoice.starting_balance = customer?.balance ?? 0;
  const left = invoice.total + invoice.starting_balance;
  invoice.amount_due = Math.max(0, left);
  invoice.amount_remaining = invoice.amount_due;
  invoice.ending_balance = Math.min(0, left);
  addToBalance(account, customer, invoice.ending_balance - invoice.starting_balance);
}

function addToBalance(account: Account, customer: Stripe.Customer | undefined, amount: number): void {
  if (!customer || amount === 0) return;
  account.change("customer.updated", customer, () => {
    customer.balance += amount;
  });
}

/** Voiding returns the credit that the invoice had used. */
export function voidInvoice(account: Account, invoice: Stripe.Invoice): void {
  if (invoice.status !== "open" && invoice.status !== "draft") return;
  const taken = invoice.ending_balance === null ? 0 : invoice.ending_balance - invoice.starting_balance;
  account.change("invoice.voided", invoice, () => {
    invoice.status = "void";
    invoice.next_payment_attempt = null;
    invoice.status_transitions.voided_at = account.now();
  });
  addToBalance(account, account.state.customers[idOf(invoice.customer) ?? ""], -taken);
}

export function writeOffInvoice(account: Account, invoice: Stripe.Invoice): void {
  account.change("invoice.marked_uncollectible", invoice, () => {
    invoice.status = "uncollectible";
    invoice.next_payment_attempt = null;
    invoice.status_transitions.marked_uncollectible_at = account.now();
  });
}
