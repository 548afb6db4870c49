import { config } from "#app/config.server.ts";
import { type BillingProvider, ProviderUnreachable } from "./contract/provider.ts";
import { guardCalls } from "./stripe/circuit-breaker.server.ts";
import { parseStripeEvent } from "./stripe/parse-event.server.ts";
import { stripePurchases } from "./stripe/purchases.server.ts";
import { readStripeOffer } from "./stripe/read-offer.server.ts";
import { createStripe, stripePages } from "./stripe/stripe-client.server.ts";
import { stripeSubscriptionApi } from "./stripe/subscription-api.server.ts";

type Settings = NonNullable<typeof config.billing.stripe>;

let made: { settings: Settings; provider: BillingProvider } | null = null;

export function currentProvider(): BillingProvider | null {
  const settings = config.billing.stripe;
  if (settings === null) return null;
  if (made?.settings !== settings) made = { settings, provider: makeStripe(settings) };
  return made.provider;
}

function makeStripe(settings: Settings): BillingProvider {
  const stripe = createStripe(settings);
  const calls = {
    readOffer: () => readStripeOffer(stripe),
    ...stripePurchases(stripe, config.billing),
    ...stripeSubscriptionApi(stripe),
  };
  return {
    name: "stripe",
    pageOrigins: stripePages(settings),
    ...guardCalls(calls),
    parseEvent: (body, headers, receivedAt) =>
      parseStripeEvent(body, headers, { secrets: settings.webhookSecrets, receivedAt }),
  };
}

export const PAYMENT_PAGES: readonly string[] = currentProvider()?.pageOrigins ?? [];

export function isProviderUnreachable(error: unknown): error is ProviderUnreachable {
  return error instanceof ProviderUnreachable;
}
