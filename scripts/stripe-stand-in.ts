import { parseArgs } from "node:util";
import { startStripeStandIn } from "../demo/stripe/stand-in.ts";

/**
 * STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET hold the keys. With --supervised, only SIGTERM or the end of
 * the parent process ends it.
 */
try {
  const { values } = parseArgs({
    options: {
      port: { type: "string" },
      host: { type: "string" },
      supervised: { type: "boolean", default: false },
      origin: { type: "string" },
      site: { type: "string" },
      "webhook-url": { type: "string" },
      "state-file": { type: "string" },
    },
  });
  const { APP_URL, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = process.env;
  const url = values["webhook-url"];
  const standIn = await startStripeStandIn({
    port: values.port === undefined ? undefined : Number(values.port),
    host: values.host,
    origin: values.origin,
    site: values.site,
    webhook: url && STRIPE_WEBHOOK_SECRET ? { url, secret: STRIPE_WEBHOOK_SECRET } : undefined,
    stateFile: values["state-file"],
    secretKey: STRIPE_SECRET_KEY,
    appUrl: APP_URL,
    seed: true,
  });
  const stop = () => void standIn.stop().then(() => process.exit(0));
  process.on("SIGTERM", stop);
  // The parent process may have been killed while this one started.
  process.once("disconnect", stop);
  if (process.send && !process.connected) stop();
  // A terminal signals all processes at once, but the site needs the stand-in while it ends.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, values.supervised ? () => {} : stop);
  console.log(`The stand-in for Stripe is at ${standIn.origin}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
