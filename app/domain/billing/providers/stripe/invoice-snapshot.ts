import type Stripe from "stripe";
import { invoiceStatus } from "#db/schema/invoices.ts";
import type { ChargeSnapshot, InvoiceSnapshot } from "../contract/provider.ts";
import { checkoutOf, dateOf, idOf, knownWord } from "./objects.ts";

export function invoiceSnapshot(invoice: Stripe.Invoice): InvoiceSnapshot | null {
  const { id, status } = invoice;
  const customerId = idOf(invoice.customer);
  if (!id || status === null || customerId === null) return null;
  // The invoice's own period is the previous one; the paid period is on its newest line.
  const periods = invoice.lines.data.map(({ period }) => period);
  const last = periods.reduce((latest, period) => (period.end > latest.end ? period : latest), {
    start: invoice.period_start,
    end: invoice.period_end,
  });
  return {
    id,
    customerId,
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    number: invoice.number,
    status: knownWord(invoiceStatus.enumValues, status),
    currency: invoice.currency,
    total: invoice.total,
    amountPaid: invoice.amount_paid,
    amountRemaining: invoice.amount_remaining,
    periodStart: dateOf(last.start),
    periodEnd: dateOf(last.end),
    createdAt: dateOf(invoice.created),
    paidAt: dateOf(invoice.status_transitions.paid_at),
    isLate: false,
    attempts: invoice.attempt_count,
    nextAttemptAt: dateOf(invoice.next_payment_attempt),
    hostedUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
    first: invoice.billing_reason === "subscription_create" ? firstOf(invoice) : null,
  };
}

function firstOf({ parent, lines }: Stripe.Invoice): InvoiceSnapshot["first"] {
  const sold = lines.data.flatMap(({ pricing, quantity, currency, amount }) => {
    const priceId = idOf(pricing?.price_details?.price);
    // A line without a price, such as an extra that the host added, was not bought here.
    if (priceId === null) return [];
    const unit = amount === 0 ? null : Number(pricing?.unit_amount_decimal ?? Number.NaN);
    return [{ priceId, quantity: quantity ?? 0, currency, unitAmount: unit }];
  });
  return { checkoutId: checkoutOf(parent?.subscription_details?.metadata), sold };
}

/** A charge names only its payment; finding the invoice takes another call. */
export async function chargeSnapshot(stripe: Stripe, charge: Stripe.Charge): Promise<ChargeSnapshot> {
  const intent = idOf(charge.payment_intent);
  const invoice = intent === null ? null : await findInvoice(stripe, intent);
  return {
    id: charge.id,
    customerId: idOf(charge.customer),
    invoiceId: invoice?.id ?? null,
    subscriptionId: idOf(invoice?.parent?.subscription_details?.subscription),
    amount: charge.amount,
    amountRefunded: charge.amount_refunded,
    isDisputed: charge.disputed,
  };
}

async function findInvoice(stripe: Stripe, intent: string): Promise<Stripe.Invoice | null> {
  const { data } = await stripe.invoicePayments.list({
    payment: { type: "payment_intent", payment_intent: intent },
    expand: ["data.invoice"],
    limit: 1,
  });
  const invoice = data[0]?.invoice;
  return typeof invoice === "object" && !invoice.deleted ? invoice : null;
}
