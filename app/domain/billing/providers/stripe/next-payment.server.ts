import Stripe from "stripe";
import { OVERDUE_STATUSES, PAID_STATUSES } from "#app/domain/access/subscription-state.ts";
import { isLastCharge } from "../../rules/last-charge.ts";
import { dateOf, idOf } from "./objects.ts";
import { isCollected, isEnding, trialEndWithoutCardOf } from "./subscription-snapshot.ts";

const OWING_STATUSES: Stripe.Subscription.Status[] = [...OVERDUE_STATUSES, "incomplete"];
/** The amount is optional, so nobody waits long for it. */
const ONE_TRY = { timeout: 4_000, maxNetworkRetries: 0 };

/** In the smallest unit, after codes, credit and tax. 0 when nothing more is billed; null when Stripe does not say. */
export async function findNextAmount(stripe: Stripe, subscription: Stripe.Subscription) {
  const { id, status, items } = subscription;
  if (!PAID_STATUSES.some((paid) => paid === status)) return null;
  if (!isCollected(subscription) || trialEndWithoutCardOf(subscription) !== null) return null;
  try {
    const next = await stripe.invoices.createPreview({ subscription: id }, ONE_TRY);
    // Pages write the amount in the currency of the price.
    return next.currency === items.data[0]?.price.currency ? next.amount_due : null;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    return error.code === "invoice_upcoming_none" && isEnding(subscription) ? 0 : null;
  }
}

/** Whether a bank transfer for the newest invoice is pending. A card pays at once or not at all. */
export async function isPaymentPending(stripe: Stripe, subscription: Stripe.Subscription) {
  const invoice = idOf(subscription.latest_invoice);
  return invoice !== null && mayBePending(subscription) && hasPaymentPending(stripe, invoice);
}

export async function hasPaymentPending(stripe: Stripe, invoice: string): Promise<boolean> {
  const { data } = await stripe.invoicePayments.list({ invoice, expand: ["data.payment.payment_intent"] });
  return data.some(({ payment }) => {
    const intent = payment.payment_intent;
    return typeof intent === "object" && intent.status === "processing";
  });
}

function mayBePending(subscription: Stripe.Subscription): boolean {
  const { status, latest_invoice: newest, ended_at: endedAt } = subscription;
  if (OWING_STATUSES.includes(status)) return true;
  if (newest === null || typeof newest === "string" || newest.status !== "open") return false;
  // While a bank transfer for a renewal is pending, Stripe leaves the subscription active.
  if (status === "active") return true;
  const ended = { cancelAtPeriodEnd: isEnding(subscription), endedAt: dateOf(endedAt) };
  return isLastCharge({ createdAt: dateOf(newest.created) }, ended);
}
