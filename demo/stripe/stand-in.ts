import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Failures } from "./http/failures.ts";
import { seedDemo } from "./seed.ts";
import type { RunningKeys } from "./server/idempotency.ts";
import { serve } from "./server/serve.ts";
import { Account } from "./state/account.ts";
import { Deliveries } from "./state/deliveries.ts";
import { newSecret } from "./state/ids.ts";
import { StateFile } from "./state/state-file.ts";
import { advanceTo } from "./subscriptions/clock.ts";
import { type Control, makeControl } from "./subscriptions/control.ts";

const THIS_MACHINE = "127.0.0.1";
const TICK_MS = 1_000;

export interface StandInOptions {
  /** A free port when omitted. */
  port?: number;
  /** The address to listen on; only this machine when omitted. */
  host?: string;
  /** The origin for browsers, when it is not 127.0.0.1. */
  origin?: string;
  webhook?: { url: string; secret: string };
  stateFile?: string;
  secretKey?: string;
  /** Adds the demo's offer and subscriber to an empty state. */
  seed?: boolean;
  /** Becomes metadata.site of the seeded objects. */
  site?: string;
  /** The site's public address. A site that has one is no demo, and the stand-in refuses to start. */
  appUrl?: string;
  /** From 0 to below 1: for tests that must be reproducible. */
  random?: () => number;
}

export interface StripeStandIn {
  origin: string;
  port: number;
  secretKey: string;
  webhookSecret: string;
  control: Control;
  /** Saves the state and keeps undelivered events for the next start. */
  stop(): Promise<void>;
}

/**
 * Implements Stripe's API on this machine, for the demo and for tests. Nothing leaves the machine, and no money
 * moves.
 */
export async function startStripeStandIn(options: StandInOptions = {}): Promise<StripeStandIn> {
  const { secretKey = newSecret("sk_test"), webhook, random = Math.random } = options;
  refuseInEarnest(secretKey, options.appUrl);
  const file = new StateFile(options.stateFile);
  const state = file.read();
  const server = createServer();
  server.listen(options.port ?? 0, options.host ?? THIS_MACHINE);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const failures = new Failures();
  const running: RunningKeys = new Map();
  const account: Account = new Account({
    state,
    origin: options.origin ?? `http://${THIS_MACHINE}:${port}`,
    port,
    onEvent: (event) => deliveries.send(event),
    onChange: () => file.saveSoon(state),
  });
  const deliveries = new Deliveries({
    target: webhook,
    random,
    onDelivered: (event) => {
      event.pending_webhooks = 0;
      account.changed();
    },
  });
  for (const event of Object.values(state.events)) {
    if (event.pending_webhooks > 0) deliveries.send(event);
  }
  if (options.seed && Object.keys(state.products).length === 0) seedDemo(account, options.site);
  const control = makeControl(account, deliveries, failures);
  server.on("request", (request, response) => {
    serve({ account, control, failures, running, secretKey }, request, response).catch((error) => {
      console.error("The stand-in for Stripe:", error);
      response.destroy();
    });
  });
  const ticking = setInterval(() => advanceTo(account, account.now()), TICK_MS);
  ticking.unref();

  return {
    origin: account.origin,
    port,
    secretKey,
    webhookSecret: webhook?.secret ?? "",
    control,
    stop: async () => {
      clearInterval(ticking);
      deliveries.stop();
      server.close();
      server.closeAllConnections();
      file.close(state);
      await once(server, "close");
    },
  };
}

function refuseInEarnest(secretKey: string, appUrl: string | undefined): void {
  if (appUrl) {
    throw new Error(
      "The stand-in for Stripe does not start when APP_URL is set: a real site needs a real STRIPE_SECRET_KEY.",
    );
  }
  if (!/^(sk|rk)_test_/.test(secretKey)) {
    throw new Error("The stand-in for Stripe accepts test keys only: use one that begins with sk_test_.");
  }
}
