import type { Interval } from "./plan-price.ts";

/** "$14.99" for an amount in the currency's smallest unit; the same on the server and in every browser. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** "a month", "every 3 months". */
export function formatInterval(interval: Interval, intervalCount: number): string {
  return intervalCount === 1 ? `a ${interval}` : `every ${intervalCount} ${interval}s`;
}

export function formatPrice(price: {
  unitAmount: number;
  currency: string;
  interval: Interval;
  intervalCount: number;
}): string {
  const { unitAmount, currency, interval, intervalCount } = price;
  return `${formatMoney(unitAmount, currency)} ${formatInterval(interval, intervalCount)}`;
}
