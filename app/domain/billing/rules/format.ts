import type { Price } from "#db/schema/billing.ts";
import type { Recurrence } from "./charge-dates.ts";

const LONG_DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const SHORT_TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

/** "21 December 2026" in UTC, the same on the server and in every browser. */
export function formatDate(date: Date): string {
  return LONG_DATE.format(date);
}

/** "21 December 2026, 14:05 UTC" */
export function formatMinute(date: Date): string {
  return `${formatDate(date)}, ${SHORT_TIME.format(date)} UTC`;
}

/** "1 day", "7 days" */
export function formatDays(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

/** "$14.99". All amounts are whole numbers of the currency's smallest unit, and formatted alike on server and browser. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** "a month" or, with `one`, "every month"; "every 3 months". */
export function formatInterval({ interval, intervalCount }: Recurrence, one: "a" | "every" = "a"): string {
  return intervalCount === 1 ? `${one} ${interval}` : `every ${intervalCount} ${interval}s`;
}

export function formatPrice(price: Recurrence & Pick<Price, "unitAmount" | "currency">): string {
  return `${formatMoney(price.unitAmount, price.currency)} ${formatInterval(price)}`;
}
