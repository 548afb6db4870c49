import type Stripe from "stripe";
import { wholeList } from "../http/lists.ts";
import { type Account, required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { idOf, newId } from "../state/ids.ts";
import type { PendingLine } from "../state/state.ts";
import { presentedIn } from "./presentment.ts";

/** A subscription here has exactly one item. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`${subscription.id} has no item`);
  return item;
}

export function requirePrice(account: Account, id: string, param: string): Stripe.Price {
  const price = required(account.state.prices, "price", id, param);
  if (!price.active) throw invalid("The price specified is inactive.", param, "price_inactive");
  if (!price.recurring) {
    throw invalid("You must provide at least one recurring price in `subscription` mode.", param);
  }
  return price;
}

export function makeItems(
  subscriptionId: string,
  price: Stripe.Price,
  period: { quantity: number; start: number; end: number; created: number },
): Stripe.ApiList<Stripe.SubscriptionItem> {
  const item: Stripe.SubscriptionItem = {
    id: newId("si"),
    object: "subscription_item",
    billing_thresholds: null,
    created: period.created,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: period.quantity,
    subscription: subscriptionId,
    tax_rates: [],
  };
  return wholeList(`/v1/subscription_items?subscription=${subscriptionId}`, [item]);
}

export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: "plan",
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? "month",
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}

export function lineOf(
  account: Account,
  subscription: Stripe.Subscription,
  { isTrial = false, price }: { isTrial?: boolean; price?: Stripe.Price } = {},
): PendingLine {
  const item = itemOf(subscription);
  const sold = price ?? item.price;
  const product = account.state.products[idOf(sold.product) ?? ""];
  const name = product?.name ?? sold.nickname ?? sold.id;
  const quantity = item.quantity ?? 1;
  return {
    amount: isTrial ? 0 : presentedIn(sold, subscription.currency).unitAmount * quantity,
    description: isTrial ? `Trial period for ${name}` : `${quantity} × ${name}`,
    price: sold.id,
    start: item.current_period_start,
    end: item.current_period_end,
  };
}
