import Stripe from "stripe";
import type { WebhookRequest } from "../../stand-in/post.ts";

const FORGED = "whsec_of_somebody_else";

export function signedRequest(
  event: Stripe.Event,
  { url, secret, isForged }: { url: string; secret: string; isForged: boolean },
): WebhookRequest {
  const body = JSON.stringify(event);
  const header = { payload: body, secret: isForged ? FORGED : secret };
  return {
    url,
    body,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Stripe/1.0 (stand-in)",
      "stripe-signature": Stripe.webhooks.generateTestHeaderString(header),
    },
  };
}
