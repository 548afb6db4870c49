import type Stripe from "stripe";
import { type Account, required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { idOf, newId } from "../state/ids.ts";
import { periodEnd } from "../state/periods.ts";

/** @throws {Fault} when the code is unknown, used up or expired */
export function usablePromotion(account: Account, code: string): Stripe.PromotionCode {
  const found = Object.values(account.state.promotionCodes).find(
    (promotion) => promotion.code.toLowerCase() === code.trim().toLowerCase(),
  );
  const coupon = found && account.state.coupons[idOf(found.promotion.coupon) ?? ""];
  const isUsable =
    found?.active &&
    coupon?.valid &&
    (found.expires_at === null || found.expires_at > account.now()) &&
    (found.max_redemptions === null || found.times_redeemed < found.max_redemptions);
  if (!isUsable) throw invalid("This code is invalid.", "promotion_code", "promotion_code_invalid");
  return found;
}

export function couponOf(
  account: Account,
  { promotionCode, coupon }: { promotionCode: string | null; coupon: string | null },
): Stripe.Coupon | null {
  const promotion = promotionCode === null ? null : account.state.promotionCodes[promotionCode];
  const id = idOf(promotion?.promotion.coupon) ?? coupon;
  return id === null ? null : required(account.state.coupons, "coupon", id, "coupon");
}

export function startDiscount(
  account: Account,
  subscription: Stripe.Subscription,
  given: { promotionCode: string | null; coupon: string | null },
): void {
  const coupon = couponOf(account, given);
  if (!coupon) return;
  const months = { interval: "month", interval_count: coupon.duration_in_months ?? 1 } as const;
  const recurring = { ...months, meter: null, trial_period_days: null, usage_type: "licensed" } as const;
  const start = account.now();
  const discount: Stripe.Discount = {
    id: newId("di"),
    object: "discount",
    checkout_session: null,
    customer: subscription.customer,
    customer_account: null,
    end: coupon.duration === "repeating" ? periodEnd(start, recurring, start) : null,
    invoice: null,
    invoice_item: null,
    promotion_code: given.promotionCode,
    source: { coupon: coupon.id, type: "coupon" },
    start,
    subscription: subscription.id,
    subscription_item: null,
  };
  account.state.discounts[discount.id] = discount;
  subscription.discounts = [discount.id];
  coupon.times_redeemed++;
  const promotion = given.promotionCode === null ? null : account.state.promotionCodes[given.promotionCode];
  if (promotion) promotion.times_redeemed++;
}

export function amountOff(coupon: Stripe.Coupon, subtotal: number): number {
  const share = coupon.percent_off === null ? 0 : Math.round((subtotal * coupon.percent_off) / 100);
  return Math.min(subtotal, Math.max(0, coupon.amount_off ?? share));
}

/** The discounts of a subscription that apply at that time, with the amount of each. */
export function discountsOn(
  account: Account,
  subscription: Stripe.Subscription,
  subtotal: number,
  at: number,
): { amount: number; discount: string }[] {
  let left = Math.max(0, subtotal);
  return subscription.discounts.flatMap((reference) => {
    const discount = account.state.discounts[idOf(reference) ?? ""];
    const coupon = account.state.coupons[idOf(discount?.source.coupon) ?? ""];
    if (!discount || !coupon || (discount.end !== null && discount.end <= at)) return [];
    const amount = amountOff(coupon, left);
    left -= amount;
    return [{ amount, discount: discount.id }];
  });
}

/** Coupons with the duration "once" are removed after the first discounted invoice. */
export function dropUsedDiscounts(account: Account, subscription: Stripe.Subscription): void {
  subscription.discounts = subscription.discounts.filter((reference) => {
    const discount = account.state.discounts[idOf(reference) ?? ""];
    return account.state.coupons[idOf(discount?.source.coupon) ?? ""]?.duration !== "once";
  });
}
