import type Stripe from "stripe";
import { z } from "zod";
import { DAY_SECONDS } from "../../stand-in/clock.ts";
import { type SessionParams, sessionParams } from "../http/checkout-params.ts";
import { read, text } from "../http/params.ts";
import { listRoute, retrieveRoute } from "../http/read-routes.ts";
import type { Route } from "../http/route.ts";
import { priceSession } from "../invoices/price-session.ts";
import { type Account, required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { idOf } from "../state/ids.ts";
import { expireSession } from "../subscriptions/clock.ts";
import { makeSession, purchaseOf } from "./new-session.ts";

const SHORTEST_SECONDS = 30 * 60;
const TOLERANCE_SECONDS = 60;
const filters = z.object({
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(["open", "complete", "expired"]).optional(),
});

export const checkoutRoutes: Route[] = [
  {
    method: "POST",
    path: "/v1/checkout/sessions",
    run: ({ account, params }) => createSession(account, read(sessionParams, params)),
  },
  listRoute({
    path: "/v1/checkout/sessions",
    of: ({ sessions }) => sessions,
    filters,
    facts: {
      customer: (each) => idOf(each.customer),
      subscription: (each) => idOf(each.subscription),
      status: (each) => each.status,
    },
  }),
  retrieveRoute("/v1/checkout/sessions", "checkout.session", ({ sessions }) => sessions),
  {
    method: "POST",
    path: "/v1/checkout/sessions/:id/expire",
    run: ({ account, id }) => {
      const session = required(account.state.sessions, "checkout.session", id);
      if (session.status !== "open") {
        throw invalid(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
        );
      }
      expireSession(account, session);
      return session;
    },
  },
];

function createSession(account: Account, params: SessionParams): Stripe.Checkout.Session {
  if (params.customer) required(account.state.customers, "customer", params.customer, "customer");
  if (params.customer && params.customer_email) {
    throw invalid(
      "You may only specify one of these parameters: customer, customer_email.",
      "customer_email",
    );
  }
  if (params.discounts && params.allow_promotion_codes !== undefined) {
    throw invalid("You may only specify one of these parameters: allow_promotion_codes, discounts.");
  }
  const session = makeSession(account, params, expiryOf(account, params.expires_at));
  account.state.purchases[session.id] = purchaseOf(account, params);
  account.state.sessions[session.id] = session;
  priceSession(account, session);
  account.changed();
  return session;
}

/** Sites use the real time, and the clock here may be ahead of it. */
function expiryOf(account: Account, given: number | undefined): number {
  if (given === undefined) return account.now() + DAY_SECONDS;
  for (const at of [given, given + account.state.clockOffset]) {
    const seconds = at - account.now();
    if (seconds >= SHORTEST_SECONDS - TOLERANCE_SECONDS && seconds <= DAY_SECONDS + TOLERANCE_SECONDS)
      return at;
  }
  throw invalid("The `expires_at` timestamp must be from 30 minutes to 24 hours from now.", "expires_at");
}
