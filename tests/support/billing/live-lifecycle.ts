import type Stripe from "stripe";
import type { Control } from "#demo/stripe/subscriptions/control.ts";
import { type Life, lateOf, PART } from "./lifecycle-model.ts";
import type { Payer } from "./paid-site.ts";

export interface LiveLifecycle {
  life: Life;
  payer: Payer;
  subscriptionId: string;
}

interface Shop {
  control: Control;
  stripe: Stripe;
  yearly: Stripe.Price;
}

const FAILING = 9;

export async function doEarly(
  { control, stripe, yearly }: Shop,
  { life, subscriptionId: id, payer }: LiveLifecycle,
): Promise<void> {
  switch (life.early) {
    case "cancel":
      await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      return;
    case "cancelAndKeep":
      await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      await stripe.subscriptions.update(id, { cancel_at_period_end: false });
      return;
    case "endNow":
      await stripe.subscriptions.cancel(id);
      return;
    case "refund":
      control.refund(id);
      return;
    case "refundPart": {
      const [charge] = (await stripe.charges.list({ customer: payer.customerId })).data;
      await stripe.refunds.create({ charge: charge?.id, amount: PART });
      return;
    }
    case "dispute":
      control.dispute(id);
      return;
    case "failOnce":
      control.failNextPayment(id);
      return;
    case "failForGood":
      control.failNextPayment(id, FAILING);
      return;
    case "toYearly": {
      const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
      const items = [{ id: item?.id, price: yearly.id }];
      await stripe.subscriptions.update(id, { items, proration_behavior: "none" });
    }
  }
}

export async function doLate(
  { control, stripe }: Shop,
  { life, subscriptionId: id }: LiveLifecycle,
): Promise<void> {
  const late = lateOf(life);
  if (late === "cancel") await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  if (late === "endNow") await stripe.subscriptions.cancel(id);
  if (late === "refund") control.refund(id);
  if (late !== "pay") return;
  const { latest_invoice } = await stripe.subscriptions.retrieve(id);
  // Two of the failures are used up; the negative count cancels the rest.
  control.failNextPayment(id, 2 - FAILING);
  await stripe.invoices.pay(String(latest_invoice));
}
