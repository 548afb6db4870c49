import type Stripe from "stripe";
import type { Account } from "../account.ts";
import type { Fault } from "../fault.ts";
import { newId, newSecret } from "../ids.ts";

/** Moves no money, and writes down that it did, or that the card refused. */
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

/** An invoice has one payment intent, however many attempts it takes. */
function intentOf(account: Account, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const known = Object.values(account.state.invoicePayments).find(
    (payment) => payment.invoice === invoice.id,
  );
  const intent = account.state.paymentIntents[String(known?.payment.payment_intent ?? "")];
  if (intent) return intent;
  const made = makeIntent(account, invoice);
  account.state.paymentIntents[made.id] = made;
  const payment: Stripe.InvoicePayment = {
    id: newId("inpay"),
    object: "invoice_payment",
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: account.now(),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: "payment_intent", payment_intent: made.id },
    status: "open",
    status_transitions: { canceled_at: null, paid_at: null },
  };
  account.state.invoicePayments[payment.id] = payment;
  return made;
}

function makeIntent(account: Account, invoice: Stripe.Invoice): Stripe.PaymentIntent {
  const id = newId("pi");
  return {
    id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: newSecret(`${id}_secret`),
    confirmation_method: "automatic",
    created: account.now(),
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description: "Subscription",
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: "off_session",
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_group: null,
  };
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
    payment_method_details: { type: "card" },
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
