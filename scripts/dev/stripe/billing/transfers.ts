import type Stripe from "stripe";
import { type Account, required } from "../account.ts";
import { invalid } from "../fault.ts";
import { idOf, newId } from "../ids.ts";
import { fingerprintOf } from "./cards.ts";
import { payInvoice } from "./pay-invoice.ts";
import { intentOf } from "./payment-intent.ts";
import { DAY_SECONDS } from "./periods.ts";

/** Banks take days. */
const TRANSFER_SECONDS = 3 * DAY_SECONDS;

export function makeBankAccount(account: Account, email: string | null): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: newId("pm"),
    object: "payment_method",
    allow_redisplay: "limited",
    billing_details: { address: null, email, name: null, phone: null, tax_id: null },
    created: account.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "us_bank_account",
    us_bank_account: {
      account_holder_type: "individual",
      account_type: "checking",
      bank_name: "STAND-IN BANK",
      financial_connections_account: null,
      fingerprint: fingerprintOf(account, "6789", email),
      last4: "6789",
      networks: null,
      routing_number: "110000000",
      status_details: null,
    },
  };
  account.state.paymentMethods[method.id] = method;
  return method;
}

/** The purchase is ordered, and the money not here yet: until then the subscription is incomplete. */
export function beginTransfer(
  account: Account,
  session: Stripe.Checkout.Session,
  invoice: Stripe.Invoice,
): void {
  const purchase = required(account.state.purchases, "checkout.session", session.id);
  purchase.arrivesAt = account.now() + TRANSFER_SECONDS;
  intentOf(account, invoice).status = "processing";
}

export function transferOf(account: Account, subscriptionId: string): Stripe.Checkout.Session | null {
  const isItsOwn = ({ id, subscription }: Stripe.Checkout.Session) =>
    idOf(subscription) === subscriptionId && account.state.purchases[id]?.arrivesAt !== undefined;
  return Object.values(account.state.sessions).find(isItsOwn) ?? null;
}

/** The money has arrived, or the bank has sent it back. */
export function settleTransfer(
  account: Account,
  session: Stripe.Checkout.Session,
  outcome: "paid" | "failed",
): void {
  const purchase = account.state.purchases[session.id];
  const invoice = account.state.invoices[idOf(session.invoice) ?? ""];
  if (purchase?.arrivesAt === undefined || !invoice)
    throw invalid("No money is on its way for this session.");
  delete purchase.arrivesAt;
  // Paid by card meanwhile, or given up: the bank's order goes for nothing.
  if (invoice.status !== "open") return;
  if (outcome === "failed") account.timersOf(idOf(session.subscription) ?? "").failingPayments++;
  payInvoice(account, invoice, { isPresent: true, isScheduled: true });
  if (outcome === "paid") session.payment_status = "paid";
  account.record(
    outcome === "paid" ? "checkout.session.async_payment_succeeded" : "checkout.session.async_payment_failed",
    session,
  );
}
