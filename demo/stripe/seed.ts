import { createCustomer } from "./api/customers.ts";
import { createPrice } from "./api/prices.ts";
import { createProduct } from "./api/products.ts";
import { createCoupon, createPromotionCode } from "./api/promotions.ts";
import { attachCard, makeCard } from "./payments/cards.ts";
import type { Account } from "./state/account.ts";
import { startSubscription } from "./subscriptions/start-subscription.ts";

const PRODUCT = "prod_demo";

/** Creates the demo's offer and its subscriber. */
export function seedDemo(account: Account, site: string | undefined): void {
  const metadata: Record<string, string> = site === undefined ? {} : { site };
  const trial = { ...metadata, trial_period_days: "7" };
  createProduct(account, { id: PRODUCT, name: "Membership", metadata });
  const common = { product: PRODUCT, currency: "usd" };
  const month = { ...common, unit_amount: "1499", recurring: { interval: "month" }, metadata: trial };
  const year = { ...common, unit_amount: "11900", recurring: { interval: "year" }, metadata };
  createPrice(account, month, "price_demo_monthly");
  const price = createPrice(account, year, "price_demo_yearly");
  createCoupon(account, { id: "peony20", name: "20% off", percent_off: "20", duration: "once" });
  createPromotionCode(account, { code: "PEONY20", promotion: { type: "coupon", coupon: "peony20" } });

  const customer = createCustomer(account, { email: "subscriber@example.com", metadata }, "cus_demo");
  const card = makeCard(account, "4242", customer.email);
  attachCard(account, card, customer.id);
  customer.invoice_settings.default_payment_method = card.id;
  startSubscription(account, {
    id: "sub_demo",
    customer: customer.id,
    price,
    currency: price.currency,
    quantity: 1,
    trialEnd: null,
    whenCardIsMissing: "create_invoice",
    paymentMethod: card.id,
    promotionCode: null,
    coupon: null,
    hasAutomaticTax: false,
    metadata,
    description: null,
    cancelAtPeriodEnd: false,
    isPresent: true,
    paysNow: true,
  });
}
