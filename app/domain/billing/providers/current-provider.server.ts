import { config } from "#app/config.server.ts";
import type { BillingProvider } from "./provider.ts";
import { readStripeOffer } from "./stripe/read-offer.server.ts";
import { createStripe } from "./stripe/stripe-client.server.ts";

/** Who takes this site's payments; null when nobody does, and then nothing is for sale. */
export function currentProvider(): BillingProvider | null {
  const { stripe: settings, site } = config.billing;
  if (settings === null) return null;
  const stripe = createStripe(settings);
  return { readOffer: () => readStripeOffer(stripe, site) };
}
