import type Stripe from "stripe";
import { z } from "zod";
import { pageOf } from "../http/lists.ts";
import { flag, mergeMetadata, metadata, read, text, whole } from "../http/params.ts";
import { listRoute } from "../http/read-routes.ts";
import type { Route } from "../http/route.ts";
import { type Account, required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { idOf, newId } from "../state/ids.ts";

const coupon = z.object({
  id: text.optional(),
  name: text.optional(),
  amount_off: whole.min(1).optional(),
  currency: text.length(3).optional(),
  percent_off: z.coerce.number().gt(0).max(100).optional(),
  duration: z.enum(["forever", "once", "repeating"]).default("once"),
  duration_in_months: whole.min(1).optional(),
  max_redemptions: whole.min(1).optional(),
  metadata: metadata.optional(),
});
const promotion = z.object({
  promotion: z.object({ type: z.literal("coupon"), coupon: text }),
  code: text.regex(/^[A-Za-z0-9-]+$/).optional(),
  active: flag.default(true),
  expires_at: whole.optional(),
  max_redemptions: whole.min(1).optional(),
  metadata: metadata.optional(),
});
const filters = z.object({
  code: text.toLowerCase().optional(),
  active: flag.optional(),
  coupon: text.optional(),
});

export const promotionRoutes: Route[] = [
  { method: "POST", path: "/v1/coupons", run: ({ account, params }) => createCoupon(account, params) },
  {
    method: "GET",
    path: "/v1/coupons",
    run: ({ account, params }) => pageOf("/v1/coupons", Object.values(account.state.coupons), params),
  },
  {
    method: "POST",
    path: "/v1/promotion_codes",
    run: ({ account, params }) => createPromotionCode(account, params),
  },
  listRoute({
    path: "/v1/promotion_codes",
    of: ({ promotionCodes }) => promotionCodes,
    filters,
    facts: {
      code: (each) => each.code.toLowerCase(),
      active: (each) => each.active,
      coupon: (each) => idOf(each.promotion.coupon),
    },
  }),
];

export function createCoupon(account: Account, params: unknown): Stripe.Coupon {
  const { id = newId("coupon"), metadata: given, ...values } = read(coupon, params);
  if ((values.amount_off === undefined) === (values.percent_off === undefined)) {
    throw invalid("You must pass either amount_off or percent_off.", "percent_off");
  }
  const made: Stripe.Coupon = {
    id,
    object: "coupon",
    amount_off: values.amount_off ?? null,
    created: account.now(),
    currency: values.currency ?? null,
    duration: values.duration,
    duration_in_months: values.duration_in_months ?? null,
    livemode: false,
    max_redemptions: values.max_redemptions ?? null,
    metadata: mergeMetadata({}, given),
    name: values.name ?? null,
    percent_off: values.percent_off ?? null,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  };
  account.state.coupons[id] = made;
  account.record("coupon.created", made);
  return made;
}

export function createPromotionCode(account: Account, params: unknown): Stripe.PromotionCode {
  const values = read(promotion, params);
  required(account.state.coupons, "coupon", values.promotion.coupon, "promotion[coupon]");
  const made: Stripe.PromotionCode = {
    id: newId("promo"),
    object: "promotion_code",
    active: values.active,
    code: values.code ?? newId("CODE").slice(-8).toUpperCase(),
    created: account.now(),
    customer: null,
    customer_account: null,
    expires_at: values.expires_at ?? null,
    livemode: false,
    max_redemptions: values.max_redemptions ?? null,
    metadata: mergeMetadata({}, values.metadata),
    promotion: { coupon: values.promotion.coupon, type: "coupon" },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  };
  account.state.promotionCodes[made.id] = made;
  account.record("promotion_code.created", made);
  return made;
}
