import Stripe from "stripe";
import { isEnding } from "./subscription-snapshot.ts";

const RENEWS = ["trialing", "active"];
/** Nobody waits for long for what can be said without it. */
const ONE_TRY = { timeout: 4_000, maxNetworkRetries: 0 };

/**
 * What the next invoice of a subscription will take of the card, codes, credit and tax and all, in the smallest unit. Null
 * when none is to come, or Stripe does not say.
 */
export async function findNextAmount(
  stripe: Stripe,
  subscription: Stripe.Subscription,
): Promise<number | null> {
  const { id, status, currency } = subscription;
  if (!RENEWS.includes(status) || isEnding(subscription)) return null;
  try {
    const next = await stripe.invoices.createPreview({ subscription: id }, ONE_TRY);
    return next.currency === currency ? next.amount_due : null;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return null;
    throw error;
  }
}
