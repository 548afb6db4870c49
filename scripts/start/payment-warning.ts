import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";

/** One line for the host whose site would take payments and believe nothing that it is told of them; null when all is well. */
export function paymentWarning(): string | null {
  const { stripe } = config.billing;
  if (stripe === null || stripe.webhookSecrets.length > 0) return null;
  const webhook = new URL(paths.api.billingWebhook(), config.origin).href;
  return `STRIPE_WEBHOOK_SECRET is not set: Stripe's events to ${webhook} are refused, and payments are seen late. docs/payments.md says how.`;
}
