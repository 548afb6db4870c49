import type Stripe from "stripe";
import type { Account } from "../state/account.ts";
import { newId, newSecret } from "../state/ids.ts";

/** An invoice has one payment intent, regardless of the number of attempts. */
export function intentOf(account: Account, invoice: Stripe.Invoice): Stripe.PaymentIntent {
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
    amount_details: { tip: {} },
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
