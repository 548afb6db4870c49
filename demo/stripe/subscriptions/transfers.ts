import type Stripe from "stripe";
import { fingerprintOf } from "../payments/cards.ts";
import type { Account } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { idOf, newId } from "../state/ids.ts";
import { payInvoice } from "./pay-invoice.ts";

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

export function isOnItsWay(account: Account, subscriptionId: string): boolean {
  return account.state.timers[subscriptionId]?.transfer !== undefined;
}

/** The transfer has arrived, or the bank has returned it. */
export function completeTransfer(account: Account, subscriptionId: string, outcome: "paid" | "failed"): void {
  const timers = account.timersOf(subscriptionId);
  const invoice = account.state.invoices[timers.transfer?.invoice ?? ""];
  if (!invoice) throw invalid("No bank transfer for this subscription is on its way.");
  delete timers.transfer;
  // The invoice was paid by card meanwhile or written off, so the transfer has no effect.
  if (invoice.status !== "open") return;
  if (outcome === "failed") timers.failingPayments++;
  const fault = payInvoice(account, invoice, { isPresent: true, isScheduled: true, isArrival: true });
  const session = Object.values(account.state.sessions).find((each) => idOf(each.invoice) === invoice.id);
  if (!session) return;
  if (!fault) session.payment_status = "paid";
  account.record(
    fault ? "checkout.session.async_payment_failed" : "checkout.session.async_payment_succeeded",
    session,
  );
}
