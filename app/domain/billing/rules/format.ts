import type { Price } from "#db/schema/billing.ts";
import type { Recurrence } from "./charge-dates.ts";

/** One for each currency, because a new one costs as much as twenty uses. */
const moneyFormats = new Map<string, Intl.NumberFormat>();

/** "$14.99". All amounts are whole numbers of the currency's smallest unit, and formatted alike on server and browser. */
export function formatMoney(amount: number, currency: string): string {
  const format = moneyFormats.get(currency) ?? new Intl.NumberFormat("en", { style: "currency", currency });
  moneyFormats.set(currency, format);
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** "a month" or, with `one`, "every month"; "every 3 months". */
export function formatInterval({ interval, intervalCount }: Recurrence, one: "a" | "every" = "a"): string {
  return intervalCount === 1 ? `${one} ${interval}` : `every ${intervalCount} ${interval}s`;
}

export function formatPrice(price: Recurrence & Pick<Price, "unitAmount" | "currency">): string {
  return `${formatMoney(price.unitAmount, price.currency)} ${formatInterval(price)}`;
}
