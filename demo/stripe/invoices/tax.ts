import type Stripe from "stripe";

/** In percent, for everything and everywhere: that is enough to distinguish the price from the amount charged. */
const TAX_PERCENT = 10;
const TAX_RATE = "txr_standin";

/** The tax on one amount, in the smallest unit. */
export interface Tax {
  amount: number;
  /** Some prices include their tax; otherwise it is added. */
  isIncluded: boolean;
}

export function taxOn(sum: number, price: Stripe.Price | null, isTaxed: boolean): Tax {
  const isIncluded = price?.tax_behavior === "inclusive";
  if (!isTaxed) return { amount: 0, isIncluded };
  const base = isIncluded ? 100 + TAX_PERCENT : 100;
  return { amount: Math.round((sum * TAX_PERCENT) / base), isIncluded };
}

/** The amount to pay, and its part before tax. */
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
