import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Account } from "./account.ts";
import { advanceTo } from "./billing/clock.ts";
import { type Control, makeControl } from "./control.ts";
import { Deliveries } from "./deliveries.ts";
import { Failures } from "./http/failures.ts";
import type { RunningKeys } from "./http/idempotency.ts";
import { serve } from "./http/serve.ts";
import { newSecret } from "./ids.ts";
import { seedDemo } from "./seed.ts";
import { StateFile } from "./state-file.ts";

const THIS_MACHINE = "127.0.0.1";
const TICK_MS = 1_000;

export interface StandInOptions {
  /** A free one when not given. */
  port?: number;
  /** The address to listen on; this machine's alone when not given. */
  host?: string;
  /** Where browsers find it, when not at 127.0.0.1. */
  origin?: string;
  webhook?: { url: string; secret: string };
  stateFile?: string;
  secretKey?: string;
  /** Puts the demo's offer and its subscriber into an empty state. */
  seed?: boolean;
  /** Goes into metadata.site of what the seed makes. */
  site?: string;
  /** The site's public address: with one, it is no demo, and the stand-in refuses. */
  appUrl?: string;
  /** From 0 up to 1: for tests that must happen the same way twice. */
  random?: () => number;
}

export interface StripeStandIn {
  origin: string;
  port: number;
  secretKey: string;
  webhookSecret: string;
  control: Control;
  /** Saves, and leaves what was not delivered for the next start. */
  stop(): Promise<void>;
}

/** Speaks Stripe's API on this machine, for the demo and for tests. Nothing leaves it, and no money moves. */
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
    throw new Error("The stand-in for Stripe takes test keys only: use one that begins with sk_test_.");
  }
}
