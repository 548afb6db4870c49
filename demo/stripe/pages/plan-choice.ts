import type Stripe from "stripe";
import { formatMoney } from "#app/domain/billing/rules/format-money.ts";
import { html, type Markup } from "../../stand-in/html.ts";
import { itemOf } from "../invoices/items.ts";
import type { Account } from "../state/account.ts";
import { idOf } from "../state/ids.ts";
import { changePrice } from "../subscriptions/change-price.ts";

/** The form that switches a running subscription to another price of its product; null when there is none. */
export function planChoice(account: Account, subscription: Stripe.Subscription): Markup | null {
  const others = otherPrices(account, subscription);
  if (others.length === 0) return null;
  return html`<form method="post"><input type="hidden" name="subscription" value="${subscription.id}">
<fieldset><legend>Change plan</legend>
${others.map(
  (price, index) => html`<label><input type="radio" name="price" value="${price.id}"${
    index === 0 && html` checked`
  }> ${planText(price)}</label>
`,
)}</fieldset>
<button name="intent" value="plan">Change plan</button></form>`;
}

/** Returns the problem, or null when the change succeeded. */
export function changePlan(
  account: Account,
  subscription: Stripe.Subscription,
  priceId: string | null,
): string | null {
  const price = otherPrices(account, subscription).find(({ id }) => id === priceId);
  if (!price) return "Choose a plan.";
  changePrice(account, subscription, {
    price,
    quantity: itemOf(subscription).quantity ?? 1,
    proration: "create_prorations",
  });
  return null;
}

export function planText({ unit_amount, currency, recurring }: Stripe.Price): string {
  const { interval = "month", interval_count: count = 1 } = recurring ?? {};
  return `${formatMoney(unit_amount ?? 0, currency)} every ${count === 1 ? interval : `${count} ${interval}s`}`;
}

function otherPrices(account: Account, { items, status, cancel_at, currency }: Stripe.Subscription) {
  const present = items.data[0]?.price;
  if (!["trialing", "active"].includes(status) || cancel_at !== null) return [];
  return Object.values(account.state.prices).filter(
    (price) =>
      price.active &&
      price.recurring !== null &&
      price.currency === currency &&
      price.id !== present?.id &&
      idOf(price.product) === idOf(present?.product),
  );
}
