import type { Interval } from "./plan-price.ts";

/** "$14.99", of an amount in the currency's smallest unit; the same on the server and in every browser. */
export function moneyWords(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** "a month", "every 3 months". */
export function intervalWords(interval: Interval, intervalCount: number): string {
  return intervalCount === 1 ? `a ${interval}` : `every ${intervalCount} ${interval}s`;
}

/** "$14.99 a month" */
export function priceWords(price: {
  unitAmount: number;
  currency: string;
  interval: Interval;
  intervalCount: number;
}): string {
  const { unitAmount, currency, interval, intervalCount } = price;
  return `${moneyWords(unitAmount, currency)} ${intervalWords(interval, intervalCount)}`;
}
