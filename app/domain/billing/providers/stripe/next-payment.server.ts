import Stripe from "stripe";
import { OVERDUE_STATUSES, PAID_STATUSES } from "#app/domain/access/subscription-state.ts";
import { idOf } from "./objects.ts";
import { isCollected, trialEndWithoutCardOf } from "./subscription-snapshot.ts";

const OWING_STATUSES: Stripe.Subscription.Status[] = [...OVERDUE_STATUSES, "incomplete"];
/** The amount is optional, so nobody waits long for it. */
const ONE_TRY = { timeout: 4_000, maxNetworkRetries: 0 };

/** Amount due next, after codes, credit and tax, in the smallest unit. 0 when nothing is due, null when Stripe does not say. */
export async function findNextAmount(stripe: Stripe, subscription: Stripe.Subscription) {
  const { id, status, items } = subscription;
  if (!PAID_STATUSES.some((paid) => paid === status)) return null;
  if (!isCollected(subscription) || trialEndWithoutCardOf(subscription) !== null) return null;
  try {
    const next = await stripe.invoices.createPreview({ subscription: id }, ONE_TRY);
    // Pages write the sum in the currency of the price.
    return next.currency === items.data[0]?.price.currency ? next.amount_due : null;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error.code === "invoice_upcoming_none" ? 0 : null;
    throw error;
  }
}

/** Whether a bank transfer for the newest invoice is pending. A card pays at once or not at all. */
export async function isPaymentPending(stripe: Stripe, { status, latest_invoice }: Stripe.Subscription) {
  const invoice = idOf(latest_invoice);
  // While a bank transfer for a renewal is pending, Stripe leaves the subscription active.
  const isRenewed =
    status === "active" && typeof latest_invoice === "object" && latest_invoice?.status === "open";
  if (invoice === null || !(OWING_STATUSES.includes(status) || isRenewed)) return false;
  const { data } = await stripe.invoicePayments.list({ invoice, expand: ["data.payment.payment_intent"] });
  return data.some(({ payment }) => {
    const intent = payment.payment_intent;
    return typeof intent === "object" && intent.status === "processing";
  });
}
