import type Stripe from "stripe";
import type { SessionParams } from "../http/checkout-params.ts";
import { mergeMetadata } from "../http/params.ts";
import { requirePrice } from "../invoices/items.ts";
import { presentedIn } from "../invoices/presentment.ts";
import { taxOn, withTax } from "../invoices/tax.ts";
import { type Account, required } from "../state/account.ts";
import { newId, newSecret } from "../state/ids.ts";
import type { Purchase } from "../state/state.ts";

export function purchaseOf(account: Account, params: SessionParams): Purchase {
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
  const lines = params.line_items.map(({ price: id, quantity }, index): Stripe.LineItem => {
    const price = requirePrice(account, id, `line_items[${index}][price]`);
    const product = account.state.products[String(price.product)];
    const { currency, unitAmount } = presentedIn(price, params.currency);
    const amount = unitAmount * quantity;
    const tax = taxOn(amount, price, params.automatic_tax?.enabled ?? false);
    return {
      id: newId("li"),
      object: "item",
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: tax.amount,
      amount_total: withTax(amount, tax).total,
      currency,
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

export function makeSession(
  account: Account,
  params: SessionParams,
  expiresAt: number,
): Stripe.Checkout.Session {
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
      provider: params.automatic_tax?.enabled ? "stripe" : null,
      status: params.automatic_tax?.enabled ? "requires_location_inputs" : null,
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
    phone_number_collection: { enabled: false },
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
