import type { Config } from "#app/config.server.ts";
import { guardCalls } from "../calls/circuit-breaker.server.ts";
import type { BillingProvider } from "../contract/provider.ts";
import { stripeFaults } from "./faults.ts";
import { receiveStripeEvent } from "./parse-event.server.ts";
import { stripePurchases } from "./purchases.server.ts";
import { readStripeOffer } from "./read-offer.server.ts";
import { createStripe, stripePages } from "./stripe-client.server.ts";
import { stripeSubscriptionApi } from "./subscription-api.server.ts";

/** Null without its settings. */
export function stripeProvider(billing: Config["billing"]): BillingProvider | null {
  const settings = billing.stripe;
  if (settings === null) return null;
  const stripe = createStripe(settings);
  const calls = {
    readOffer: () => readStripeOffer(stripe),
    ...stripePurchases(stripe, billing),
    ...stripeSubscriptionApi(stripe),
  };
  return {
    name: "stripe",
    pageOrigins: stripePages(settings),
    ...guardCalls(calls, stripeFaults),
    unfit: () => null,
    readFeed: async () => null,
    probe: async () => false,
    adopt: async () => false,
    findFault: async () => null,
    setup: () => [],
    methods: ["POST"],
    receive: (call) => receiveStripeEvent(call, settings.webhookSecrets),
    answer: (outcome) => ({ status: outcome === "accepted" ? 200 : 400, body: null }),
    findMissing: (webhook) =>
      settings.webhookSecrets.length > 0
        ? null
        : `STRIPE_WEBHOOK_SECRET is not set, so Stripe's events to ${webhook} are refused and payments arrive late: see docs/payments.md.`,
  };
}
