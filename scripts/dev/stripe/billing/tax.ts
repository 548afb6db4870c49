import type Stripe from "stripe";

/** In percent, of everything and everywhere: enough to see that a sum and what is charged are two things. */
const TAX_PERCENT = 10;
const TAX_RATE = "txr_standin";

/** What one sum owes, in the smallest unit. */
export interface Tax {
  amount: number;
  /** Included in the sum, as prices can say; else it comes on top. */
  isIncluded: boolean;
}

export function taxOn(sum: number, price: Stripe.Price | null, isTaxed: boolean): Tax {
  const isIncluded = price?.tax_behavior === "inclusive";
  if (!isTaxed) return { amount: 0, isIncluded };
  const base = isIncluded ? 100 + TAX_PERCENT : 100;
  return { amount: Math.round((sum * TAX_PERCENT) / base), isIncluded };
}

/** What is to pay of a sum, and what of that is no tax. */
export function withTax(sum: number, { amount, isIncluded }: Tax): { total: number; net: number } {
  return isIncluded ? { total: sum, net: sum - amount } : { total: sum + amount, net: sum };
}

export function taxesOf(sum: number, tax: Tax): Stripe.Invoice.TotalTax[] {
  if (tax.amount === 0) return [];
  return [
    {
      amount: tax.amount,
      tax_behavior: tax.isIncluded ? "inclusive" : "exclusive",
      tax_rate_details: { tax_rate: TAX_RATE },
      taxability_reason: "standard_rated",
      taxable_amount: withTax(sum, tax).net,
      type: "tax_rate_details",
    },
  ];
}
