import type Stripe from "stripe";
import { z } from "zod";
import { type Account, required } from "../account.ts";
import { expireSession } from "../billing/clock.ts";
import { requirePrice } from "../billing/items.ts";
import { DAY_SECONDS } from "../billing/periods.ts";
import { priceSession } from "../billing/price-session.ts";
import { invalid } from "../fault.ts";
import { pageOf, wholeList } from "../http/lists.ts";
import { mergeMetadata, read, text } from "../http/params.ts";
import type { Route } from "../http/route.ts";
import { newId, newSecret } from "../ids.ts";
import type { Purchase } from "../state.ts";
import { sessionParams } from "./checkout-params.ts";

const SHORTEST_SECONDS = 30 * 60;
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
  {
    method: "GET",
    path: "/v1/checkout/sessions",
    run: ({ account, params }) => {
      const { customer, subscription, status } = read(filters, params);
      const found = Object.values(account.state.sessions).filter(
        (each) =>
          (customer === undefined || each.customer === customer) &&
          (subscription === undefined || each.subscription === subscription) &&
          (status === undefined || each.status === status),
      );
      return pageOf("/v1/checkout/sessions", found, params);
    },
  },
  {
    method: "GET",
    path: "/v1/checkout/sessions/:id",
    run: ({ account, id }) => required(account.state.sessions, "checkout.session", id),
  },
  {
    method: "GET",
    path: "/v1/checkout/sessions/:id/line_items",
    run: ({ account, id }) => {
      required(account.state.sessions, "checkout.session", id);
      return wholeList(`/v1/checkout/sessions/${id}/line_items`, account.state.purchases[id]?.lines ?? []);
    },
  },
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

type Params = z.infer<typeof sessionParams>;

function createSession(account: Account, params: Params): Stripe.Checkout.Session {
  if (params.customer) required(account.state.customers, "customer", params.customer, "customer");
  if (params.discounts && params.allow_promotion_codes !== undefined) {
    throw invalid("You may only specify one of these parameters: allow_promotion_codes, discounts.");
  }
  const now = account.now();
  const expiresAt = params.expires_at ?? now + DAY_SECONDS;
  if (expiresAt < now + SHORTEST_SECONDS - 60 || expiresAt > now + DAY_SECONDS + 60) {
    throw invalid("The `expires_at` timestamp must be from 30 minutes to 24 hours from now.", "expires_at");
  }
  const session = makeSession(account, params, expiresAt);
  account.state.purchases[session.id] = purchaseOf(account, params);
  account.state.sessions[session.id] = session;
  priceSession(account, session);
  account.changed();
  return session;
}

function purchaseOf(account: Account, params: Params): Purchase {
  const { subscription_data: data } = params;
  const [discount] = params.discounts ?? [];
  if (discount?.promotion_code) {
    required(
      account.state.promotionCodes,
      "promotion code",
      discount.promotion_code,
      "discounts[0][promotion_code]",
    );
  }
  const lines = params.line_items.map(({ price: id, quantity }, place): Stripe.LineItem => {
    const price = requirePrice(account, id, `line_items[${place}][price]`);
    const product = account.state.products[String(price.product)];
    const amount = (price.unit_amount ?? 0) * quantity;
    return {
      id: newId("li"),
      object: "item",
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price.currency,
      description: product?.name ?? null,
      metadata: null,
      price,
      quantity,
    };
  });
  return {
    lines,
    trialDays: data.trial_period_days ?? null,
    trialEnd: data.trial_end ?? null,
    whenCardIsMissing: data.trial_settings?.end_behavior.missing_payment_method ?? "create_invoice",
    subscriptionMetadata: mergeMetadata({}, data.metadata),
    description: data.description ?? null,
    promotionCode: discount?.promotion_code ?? null,
    coupon: discount?.coupon ?? null,
  };
}

function makeSession(account: Account, params: Params, expiresAt: number): Stripe.Checkout.Session {
  const id = newSecret("cs_test");
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: null,
    amount_total: null,
    automatic_tax: {
      enabled: params.automatic_tax?.enabled ?? false,
      liability: params.automatic_tax?.enabled ? { type: "self" } : null,
      provider: null,
      status: null,
    },
    billing_address_collection: null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: account.now(),
    currency: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: params.customer ?? null,
    customer_account: null,
    customer_creation: params.customer ? null : "always",
    customer_details: null,
    customer_email: params.customer_email ?? null,
    discounts: [],
    expires_at: expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: mergeMetadata({}, params.metadata),
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: params.payment_method_collection,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: params.success_url,
    total_details: null,
    ui_mode: "hosted_page",
    url: `${account.origin}/c/pay/${id}`,
    wallet_options: null,
  };
}
