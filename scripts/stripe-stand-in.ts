import { startStripeStandIn } from "../demo/stripe/stand-in.ts";
import { runStandIn } from "./supervisor/run-stand-in.ts";

await runStandIn("Stripe", ({ options, flags, env }) => {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: secret } = env;
  const url = flags["webhook-url"];
  return startStripeStandIn({
    ...options,
    site: flags.site,
    webhook: url && secret ? { url, secret } : undefined,
    secretKey: STRIPE_SECRET_KEY,
    seed: true,
  });
});
