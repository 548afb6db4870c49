import type Stripe from "stripe";
import type { Account } from "../state/account.ts";
import type { Fault } from "../state/fault.ts";
import { newId } from "../state/ids.ts";
import { paymentDetails } from "./payment-details.ts";
import { intentOf } from "./payment-intent.ts";

/** Records a successful or declined charge; no money moves. */
export function charge(
  account: Account,
  invoice: Stripe.Invoice,
  { method, fault }: { method: Stripe.PaymentMethod; fault: Fault | null },
): Stripe.Charge {
  const intent = intentOf(account, invoice);
  const made = makeCharge(account, invoice, intent.id, method, fault);
  account.state.charges[made.id] = made;
  intent.latest_charge = made.id;
  intent.payment_method = fault ? null : method.id;
  if (fault) {
    const needsCustomer = fault.error.code === "authentication_required";
    intent.status = "requires_payment_method";
    intent.last_payment_error = {
      type: "card_error",
      code: needsCustomer ? "authentication_required" : "card_declined",
      decline_code: String(fault.error.decline_code ?? ""),
      message: fault.error.message,
      charge: made.id,
      payment_method: method,
    };
    account.record("charge.failed", made);
    account.record("payment_intent.payment_failed", intent);
    return made;
  }
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  intent.last_payment_error = null;
  account.record("charge.succeeded", made);
  account.record("payment_intent.succeeded", intent);
  return made;
}

function makeCharge(
  account: Account,
  invoice: Stripe.Invoice,
  intentId: string,
  method: Stripe.PaymentMethod,
  fault: Fault | null,
): Stripe.Charge {
  return {
    id: newId("ch"),
    object: "charge",
    amount: invoice.amount_due,
    amount_captured: fault ? 0 : invoice.amount_due,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: fault ? null : newId("txn"),
    billing_details: method.billing_details,
    calculated_statement_descriptor: "STAND-IN",
    captured: !fault,
    created: account.now(),
    currency: invoice.currency,
    customer: invoice.customer,
    description: "Subscription",
    disputed: false,
    failure_balance_transaction: null,
    failure_code: fault ? String(fault.error.code) : null,
    failure_message: fault?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: !fault,
    payment_intent: intentId,
    payment_method: method.id,
    payment_method_details: paymentDetails(method, invoice.amount_due),
    receipt_email: null,
    receipt_number: null,
    receipt_url: invoice.hosted_invoice_url ?? null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: fault ? "failed" : "succeeded",
    transfer_data: null,
    transfer_group: null,
  };
}
