import type Stripe from "stripe";
import type { ChargeSnapshot } from "../provider.ts";
import { idOf } from "./objects.ts";

/** A charge names its payment only; which invoice that paid is a question of its own. */
export async function chargeOf(stripe: Stripe, charge: Stripe.Charge): Promise<ChargeSnapshot> {
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
