import type Stripe from "stripe";
import type { z } from "zod";
import { DAY_SECONDS } from "../../stand-in/clock.ts";
import { pageOf } from "../http/lists.ts";
import { mergeMetadata, read } from "../http/params.ts";
import { retrieveRoute } from "../http/read-routes.ts";
import type { Route } from "../http/route.ts";
import { cancellation, creation, filters, update } from "../http/subscription-params.ts";
import { requirePrice } from "../invoices/items.ts";
import { type Account, required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { endSubscription } from "../subscriptions/end-subscription.ts";
import { billPeriod, restartPeriod } from "../subscriptions/renew.ts";
import { startSubscription } from "../subscriptions/start-subscription.ts";
import { requireChangeable, updateSubscription } from "../subscriptions/update-subscription.ts";

const ENDED = ["canceled", "incomplete_expired"];

export const subscriptionRoutes: Route[] = [
  {
    method: "POST",
    path: "/v1/subscriptions",
    run: ({ account, params }) => createSubscription(account, read(creation, params)),
  },
  {
    method: "GET",
    path: "/v1/subscriptions",
    run: ({ account, params }) => {
      const { customer, price, status } = read(filters, params);
      const found = Object.values(account.state.subscriptions).filter(
        (each) =>
          (customer === undefined || each.customer === customer) &&
          (price === undefined || each.items.data.some((item) => item.price.id === price)) &&
          hasStatus(each, status),
      );
      return pageOf("/v1/subscriptions", found, params);
    },
  },
  retrieveRoute("/v1/subscriptions", "subscription", ({ subscriptions }) => subscriptions),
  {
    method: "POST",
    path: "/v1/subscriptions/:id",
    run: ({ account, id, params }) => {
      const found = required(account.state.subscriptions, "subscription", id);
      return updateSubscription(account, found, read(update, params));
    },
  },
  {
    method: "DELETE",
    path: "/v1/subscriptions/:id",
    run: ({ account, id, params }) => {
      const found = required(account.state.subscriptions, "subscription", id);
      // Stripe also returns "not found" for a second cancellation.
      if (ENDED.includes(found.status)) required({}, "subscription", id);
      const { cancellation_details: details } = read(cancellation, params);
      endSubscription(account, found, {
        reason: "cancellation_requested",
        comment: details?.comment ?? null,
        feedback: details?.feedback ?? null,
      });
      return found;
    },
  },
  {
    method: "POST",
    path: "/v1/subscriptions/:id/resume",
    run: ({ account, id }) => {
      const found = required(account.state.subscriptions, "subscription", id);
      requireChangeable(found);
      if (found.status !== "paused") throw invalid("Only a paused subscription can be resumed.");
      restartPeriod(account, found);
      account.record("customer.subscription.resumed", found);
      billPeriod(account, found, "subscription_update");
      return found;
    },
  },
];

function hasStatus(subscription: Stripe.Subscription, wanted: string | undefined): boolean {
  if (wanted === undefined) return !ENDED.includes(subscription.status);
  if (wanted === "ended") return ENDED.includes(subscription.status);
  return wanted === "all" || subscription.status === wanted;
}

function createSubscription(account: Account, params: z.infer<typeof creation>): Stripe.Subscription {
  const customer = required(account.state.customers, "customer", params.customer, "customer");
  const [item] = params.items;
  const price = requirePrice(account, item?.price ?? "", "items[0][price]");
  const method = params.default_payment_method ?? null;
  if (method) required(account.state.paymentMethods, "PaymentMethod", method, "default_payment_method");
  const needsCard = params.payment_behavior !== "default_incomplete" && !params.trial_period_days;
  if (needsCard && !method && !customer.invoice_settings.default_payment_method && price.unit_amount) {
    throw invalid(
      "This customer has no attached payment source or default payment method.",
      undefined,
      "resource_missing",
    );
  }
  const [discount] = params.discounts || [];
  const trialEnd = typeof params.trial_end === "number" ? params.trial_end : null;
  const { subscription, fault } = startSubscription(account, {
    customer: customer.id,
    price,
    currency: price.currency,
    quantity: item?.quantity ?? 1,
    trialEnd: params.trial_period_days ? account.now() + params.trial_period_days * DAY_SECONDS : trialEnd,
    whenCardIsMissing: params.trial_settings?.end_behavior.missing_payment_method ?? "create_invoice",
    paymentMethod: method,
    promotionCode: discount?.promotion_code ?? null,
    coupon: discount?.coupon ?? null,
    hasAutomaticTax: params.automatic_tax?.enabled ?? false,
    metadata: mergeMetadata({}, params.metadata),
    description: params.description ?? null,
    cancelAtPeriodEnd: params.cancel_at_period_end,
    isPresent: false,
    paysNow: params.payment_behavior !== "default_incomplete",
  });
  if (fault && params.payment_behavior === "error_if_incomplete") throw fault;
  return subscription;
}
