import type Stripe from "stripe";
import { answerPage } from "../stand-in/answer-page.ts";
import { Deliveries } from "../stand-in/deliveries.ts";
import { Failures } from "../stand-in/failures.ts";
import { type ListenOptions, listen } from "../stand-in/listen.ts";
import { serve } from "../stand-in/serve.ts";
import { StateFile } from "../stand-in/state-file.ts";
import { PAGES } from "./pages/pages.ts";
import { seedDemo } from "./seed.ts";
import { answerApi } from "./server/answer-api.ts";
import type { RunningKeys } from "./server/idempotency.ts";
import { Account } from "./state/account.ts";
import { newSecret } from "./state/ids.ts";
import { signedRequest } from "./state/signed-request.ts";
import { emptyState } from "./state/state.ts";
import { advanceTo } from "./subscriptions/clock.ts";
import { type Control, makeControl } from "./subscriptions/control.ts";

export interface StandInOptions extends ListenOptions {
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
  const file = new StateFile(options.stateFile, emptyState);
  const state = file.read();
  const listener = await listen(options);

  const failures = new Failures();
  const running: RunningKeys = new Map();
  const account: Account = new Account({
    state,
    origin: listener.origin,
    port: listener.port,
    onEvent: (event) => deliveries.send(event),
    onChange: () => file.saveSoon(state),
  });
  const deliveries = new Deliveries<Stripe.Event>({
    requestFor: webhook ? (event, how) => signedRequest(event, { ...webhook, ...how }) : null,
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
  const { origin, ownOrigins } = account;
  listener.begin("Stripe", {
    everySecond: () => advanceTo(account, account.now()),
    answer: (request, response) =>
      serve(
        {
          provider: "Stripe",
          origin,
          secretKey,
          answerPage: (call) =>
            answerPage(PAGES, call, { ownOrigins, visit: (id, form) => ({ account, control, id, form }) }),
          answerApi: (call) => answerApi(account, call, { failures, running, secretKey }),
        },
        request,
        response,
      ),
  });

  return {
    origin,
    port: listener.port,
    secretKey,
    webhookSecret: webhook?.secret ?? "",
    control,
    stop: async () => {
      deliveries.stop();
      const stopped = listener.stop();
      file.close(state);
      await stopped;
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
