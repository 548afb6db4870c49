import type Stripe from "stripe";
import { idOf } from "./objects.ts";

const OWING = ["incomplete", "past_due", "unpaid"];

/** Whether a bank is sending what the newest invoice of a subscription asks for. A card pays at once, or not. */
export async function isMoneyOnItsWay(
  stripe: Stripe,
  { status, latest_invoice }: Stripe.Subscription,
): Promise<boolean> {
  const invoice = idOf(latest_invoice);
  // While a bank sends the money of a renewal, Stripe leaves the subscription active.
  const isRenewed =
    status === "active" && typeof latest_invoice === "object" && latest_invoice?.status === "open";
  if (invoice === null || !(OWING.includes(status) || isRenewed)) return false;
  // Stripe expands no deeper in the subscription than its invoice.
  const { data } = await stripe.invoicePayments.list({ invoice, expand: ["data.payment.payment_intent"] });
  return data.some(({ payment }) => {
    const intent = payment.payment_intent;
    return typeof intent === "object" && intent.status === "processing";
  });
}
