import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";

/**
 * A warning for the host whose site takes payments but refuses the provider's events; null when the settings are
 * complete.
 */
export function paymentWarning(): string | null {
  const { stripe } = config.billing;
  if (stripe === null || stripe.webhookSecrets.length > 0) return null;
  const webhook = new URL(paths.api.billingWebhook(), config.origin).href;
  return `STRIPE_WEBHOOK_SECRET is not set: Stripe's events to ${webhook} are refused, and payments are seen late. docs/payments.md says how.`;
}
