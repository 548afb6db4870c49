import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { leavePaymentSettings, type PaymentSettings } from "./payment-settings.ts";
import { isPortFree } from "./port.ts";
import type { Program } from "./processes.ts";

/** From PORT on: with 3000, where stripe-mock listens. The next one that is free when it is taken. */
const PORT_DISTANCE = 9111;
const MOST_TRIES = 20;
const HIGHEST_PORT = 65_535;
/** As the stand-in's charges have it. */
const PLAYED_STATEMENT = "STAND-IN";

export interface DemoPayments {
  /** Where a browser finds it. */
  origin: string;
  settings: PaymentSettings & { BILLING_STATEMENT: string };
  program(env: NodeJS.ProcessEnv): Program;
}

/**
 * The stand-in for Stripe of a demo without a key of its own; null where there is one, and on a hosted site. `webHost` is
 * where the site is reached from this machine.
 */
export async function planDemoPayments(webHost: string): Promise<DemoPayments | null> {
  if (!config.isDemo || config.billing.stripe !== null) return null;
  const port = await choosePort(config.web.port);
  const settings: PaymentSettings = {
    STRIPE_SECRET_KEY: `sk_test_${randomBytes(16).toString("hex")}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(16).toString("hex")}`,
    STRIPE_API_URL: `http://127.0.0.1:${port}`,
  };
  leavePaymentSettings(config.dataDir, settings);
  const origin = `http://localhost:${port}`;
  const flags = {
    port: String(port),
    // Where the site is open to other machines, as in a container, what it sends people to is, too.
    ...(config.web.host === undefined ? {} : { host: config.web.host }),
    origin,
    site: config.billing.site,
    "state-file": join(config.dataDir, "stripe-stand-in.json"),
    "webhook-url": `http://${webHost}:${config.web.port}/api/billing/webhook/stripe`,
  };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  return {
    origin,
    settings: { ...settings, BILLING_STATEMENT: config.billing.statement ?? PLAYED_STATEMENT },
    program: (env) => ({
      name: "payments",
      args: ["--import", "tsx", "scripts/dev/stripe-stand-in.ts", "--supervised", ...args],
      env,
    }),
  };
}

async function choosePort(sitePort: number): Promise<number> {
  const distance = sitePort + PORT_DISTANCE + MOST_TRIES > HIGHEST_PORT ? -PORT_DISTANCE : PORT_DISTANCE;
  for (let port = sitePort + distance; port < sitePort + distance + MOST_TRIES; port++) {
    if (await isPortFree(port, config.web.host)) return port;
  }
  throw new Error(
    `No port is free for the demo's payments from ${sitePort + distance} on: end what uses them, or choose another PORT.`,
  );
}
