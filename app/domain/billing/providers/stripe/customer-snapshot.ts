import type Stripe from "stripe";
import type { CustomerSnapshot } from "../provider.ts";
import { siteOf } from "./objects.ts";

/** Needs its default card and those of its subscriptions expanded. */
export function customerSnapshot(customer: Stripe.Customer | Stripe.DeletedCustomer): CustomerSnapshot {
  const { id } = customer;
  if (customer.deleted) return { id, isDeleted: true, site: null, billingMethod: null, card: null };
  const [subscription] = customer.subscriptions?.data ?? [];
  const method = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const card = typeof method === "object" ? method?.card : null;
  return {
    id,
    isDeleted: false,
    site: siteOf(customer.metadata),
    billingMethod: subscription?.collection_method ?? null,
    card: card
      ? { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
      : null,
  };
}
