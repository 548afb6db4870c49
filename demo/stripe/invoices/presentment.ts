import Stripe from "stripe";
import { invalid } from "../state/fault.ts";

type Options = Record<string, Stripe.Price.CurrencyOptions>;

export function currencyOptions(given: Record<string, { unit_amount: number }>): Options {
  return Object.fromEntries(
    Object.entries(given).map(([currency, { unit_amount: amount }]) => [
      currency,
      {
        custom_unit_amount: null,
        tax_behavior: "unspecified",
        unit_amount: amount,
        unit_amount_decimal: Stripe.Decimal.from(amount),
      },
    ]),
  );
}

/**
 * The currency and unit amount of a purchase. Without a requested currency, the first other one applies, as for a
 * buyer abroad.
 */
export function presentedIn(price: Stripe.Price, requested: string | undefined) {
  const options = price.currency_options ?? {};
  const currency = requested ?? Object.keys(options)[0] ?? price.currency;
  if (currency === price.currency) return { currency, unitAmount: price.unit_amount ?? 0 };
  const option = options[currency];
  if (!option) {
    throw invalid(`The price specified does not support the currency ${currency}.`, "currency");
  }
  return { currency, unitAmount: option.unit_amount ?? 0 };
}
