import { config } from "#app/config.server.ts";
import type { BillingProvider } from "./provider.ts";
import { stripeMemberships } from "./stripe/memberships.server.ts";
import { parseStripeEvent } from "./stripe/parse-event.server.ts";
import { stripePurchases } from "./stripe/purchases.server.ts";
import { readStripeOffer } from "./stripe/read-offer.server.ts";
import { createStripe, stripePages } from "./stripe/stripe-client.server.ts";

/** Who takes this site's payments; null when nobody does, and then nothing is for sale. */
export function currentProvider(): BillingProvider | null {
  const { stripe: settings, site, hasTax } = config.billing;
  if (settings === null) return null;
  const stripe = createStripe(settings);
  return {
    name: "stripe",
    pageOrigins: stripePages(settings),
    readOffer: () => readStripeOffer(stripe, site),
    ...stripePurchases(stripe, { site, hasTax }),
    ...stripeMemberships(stripe),
    parseEvent: (body, signature) =>
      parseStripeEvent(body, signature, { secrets: settings.webhookSecrets, site }),
  };
}
