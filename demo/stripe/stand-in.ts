import type Stripe from "stripe";
import { Deliveries } from "../stand-in/deliveries.ts";
import { Failures } from "../stand-in/failures.ts";
import { type OpenOptions, openStandIn } from "../stand-in/open.ts";
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

export interface StandInOptions extends OpenOptions {
  webhook?: { url: string; secret: string };
  secretKey?: string;
  /** Adds the demo's offer and subscriber to an empty state. */
  seed?: boolean;
  /** Becomes metadata.site of the seeded objects. */
  site?: string;
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
  const { secretKey = newSecret("sk_test"), webhook, random } = options;
  refuseInEarnest(secretKey, options.appUrl);
  const { control, origin, port, stop } = await openStandIn(options, {
    provider: "Stripe",
    secretKey,
    emptyState,
    build: (opened) => {
      const failures = new Failures();
      const running: RunningKeys = new Map();
      const account: Account = new Account({ ...opened, onEvent: (event) => deliveries.send(event) });
      const deliveries = new Deliveries<Stripe.Event>({
        requestFor: webhook ? (event, how) => signedRequest(event, { ...webhook, ...how }) : null,
        random,
        onDelivered: (event) => {
          event.pending_webhooks = 0;
          account.changed();
        },
      });
      for (const event of Object.values(opened.state.events)) {
        if (event.pending_webhooks > 0) deliveries.send(event);
      }
      if (options.seed && Object.keys(opened.state.products).length === 0) seedDemo(account, options.site);
      const control = makeControl(account, deliveries, failures);
      return {
        account,
        deliveries,
        control,
        advanceTo: (at) => advanceTo(account, at),
        pages: PAGES,
        visit: (_, id, form) => ({ account, control, id, form }),
        answerApi: (call) => answerApi(account, call, { failures, running, secretKey }),
      };
    },
  });
  const webhookSecret = webhook?.secret ?? "";
  return { origin, port, secretKey, webhookSecret, control, stop };
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
