import type Stripe from "stripe";
import { DAY_SECONDS } from "../../stand-in/clock.ts";
import type { Account } from "../state/account.ts";
import { amountOff, couponOf } from "./discounts.ts";
import { taxOn, withTax } from "./tax.ts";

const SHORTEST_TRIAL_SECONDS = 2 * DAY_SECONDS;

/** Recalculates the amounts due today, including the entered promotion code. */
export function priceSession(account: Account, session: Stripe.Checkout.Session): void {
  const purchase = account.state.purchases[session.id];
  const [line] = purchase?.lines ?? [];
  if (!purchase || !line) return;
  const isTrial = trialEndOf(account, session) !== null;
  const coupon = couponOf(account, purchase);
  const subtotal = isTrial ? 0 : line.amount_subtotal;
  const discount = coupon ? amountOff(coupon, subtotal) : 0;
  session.currency = line.currency;
  session.amount_subtotal = subtotal;
  const tax = taxOn(subtotal - discount, line.price, session.automatic_tax.enabled);
  session.amount_total = withTax(subtotal - discount, tax).total;
  session.total_details = { amount_discount: discount, amount_shipping: 0, amount_tax: tax.amount };
  if (session.automatic_tax.enabled) session.automatic_tax.status = "complete";
  session.discounts = coupon ? [{ coupon: coupon.id, promotion_code: purchase.promotionCode }] : [];
}

/** Seconds since 1970; null when the purchase has no trial. */
export function trialEndOf(account: Account, session: Stripe.Checkout.Session): number | null {
  const purchase = account.state.purchases[session.id];
  if (purchase?.trialDays) return account.now() + purchase.trialDays * DAY_SECONDS;
  const end = purchase?.trialEnd ?? null;
  return end !== null && end >= account.now() + SHORTEST_TRIAL_SECONDS ? end : null;
}
