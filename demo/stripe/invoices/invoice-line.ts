import Stripe from "stripe";
import type { Account } from "../state/account.ts";
import { idOf, newId } from "../state/ids.ts";
import type { PendingLine } from "../state/state.ts";
import { itemOf } from "./items.ts";
import { presentedIn } from "./presentment.ts";

export function buildLine(
  account: Account,
  subscription: Stripe.Subscription,
  invoiceId: string,
  line: PendingLine,
): Stripe.InvoiceLineItem {
  const item = itemOf(subscription);
  const price = account.state.prices[line.price];
  const { currency } = subscription;
  return {
    id: newId("il"),
    object: "line_item",
    amount: line.amount,
    currency,
    description: line.description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: invoiceId,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: line.isProration ?? false,
        proration_details: null,
        subscription: subscription.id,
        subscription_item: item.id,
      },
      type: "subscription_item_details",
    },
    period: { start: line.start, end: line.end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: line.price, product: idOf(price?.product) ?? "" },
      type: "price_details",
      unit_amount_decimal: Stripe.Decimal.from(price ? presentedIn(price, currency).unitAmount : 0),
    },
    quantity: item.quantity ?? 1,
    quantity_decimal: Stripe.Decimal.from(item.quantity ?? 1),
    subscription: subscription.id,
    subtotal: line.amount,
    taxes: [],
  };
}
