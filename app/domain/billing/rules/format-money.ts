import { formatDays } from "#app/dates.ts";
import type { FirstPeriod, Price } from "#db/schema/prices.ts";
import type { Recurrence } from "./charge-dates.ts";

type PriceTerms = Recurrence & Pick<Price, "unitAmount" | "currency" | "firstPeriod">;

/** Kept, because creating a format costs as much as using it twenty times. */
const moneyFormats = new Map<string, Intl.NumberFormat>();

/** "$14.99". Amounts are whole numbers of the provider's smallest unit. Server and browser format them alike. */
export function formatMoney(amount: number, currency: string): string {
  const exponent = exponentOf(currency);
  const value = amount / 10 ** exponent;
  const digits = WRITTEN_WHOLE.has(currency.toLowerCase()) && Number.isInteger(value) ? 0 : exponent;
  const key = `${currency} ${digits}`;
  const format = moneyFormats.get(key) ?? moneyFormat(currency, digits);
  moneyFormats.set(key, format);
  return format.format(value);
}

/** "a month" or, with `one`, "every month"; "every 3 months". */
export function formatInterval({ interval, intervalCount }: Recurrence, one: "a" | "every" = "a"): string {
  return intervalCount === 1 ? `${one} ${interval}` : `every ${intervalCount} ${interval}s`;
}

/** "one month" or "30 days" */
export function formatPeriod({ interval, intervalCount }: Recurrence): string {
  return intervalCount === 1 ? `one ${interval}` : `${intervalCount} ${interval}s`;
}

interface Sold {
  isPrepaid: boolean;
}

/** "$9.99 a month"; prepaid, "$9.99 for one month". */
export function formatPrice(price: Omit<PriceTerms, "firstPeriod">, { isPrepaid }: Sold): string {
  const time = isPrepaid ? `for ${formatPeriod(price)}` : formatInterval(price);
  return `${formatMoney(price.unitAmount, price.currency)} ${time}`;
}

/** "$9.99 every 30 days after 3 days for $2.95" */
export function formatTerms(price: PriceTerms & Sold): string {
  const { firstPeriod, currency } = price;
  return (
    formatPrice(price, price) + (firstPeriod ? ` after ${formatFirstPeriod(firstPeriod, currency)}` : "")
  );
}

/** "7 days free" or "3 days for $2.95". */
export function formatFirstPeriod({ days, amount }: FirstPeriod, currency: string): string {
  return `${formatDays(days)} ${amount === 0 ? "free" : `for ${formatMoney(amount, currency)}`}`;
}

/** "9.99" in the currency's smallest unit. Null for anything that nobody can be charged, such as too many decimals. */
export function parseMoney(text: string, currency: string): number | null {
  const exponent = exponentOf(currency);
  const [, whole, fraction = ""] = /^(\d{1,9})(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > exponent) return null;
  const amount = Number(whole + fraction.padEnd(exponent, "0"));
  return amount % smallestCharge(currency) === 0 ? amount : null;
}

/** 1499 as "14.99", for a provider that takes decimals. */
export function decimalsOf(amount: number, currency: string): string {
  const exponent = exponentOf(currency);
  const digits = String(amount).padStart(exponent + 1, "0");
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** "14.99" and "14.9951" as 1499: nobody can be charged less than the smallest unit. Null for anything else. */
export function parseDecimals(text: string, currency: string): number | null {
  const exponent = exponentOf(currency);
  const [, whole, fraction = ""] = /^(\d{1,9})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  return whole === undefined ? null : Number(whole + fraction.slice(0, exponent).padEnd(exponent, "0"));
}

/** From the provider's page about currencies. The digits of Intl differ from it and change with each release of ICU. */
const ZERO_DECIMALS = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const THREE_DECIMALS = new Set("bhd jod kwd omr tnd".split(" "));
/** The provider counts these in hundredths but charges whole units only. */
const WRITTEN_WHOLE = new Set(["isk", "ugx"]);

/** In the provider's smallest unit. */
export function smallestCharge(currency: string): number {
  return WRITTEN_WHOLE.has(currency.toLowerCase()) ? 100 : 1;
}

function exponentOf(currency: string): number {
  const code = currency.toLowerCase();
  if (ZERO_DECIMALS.has(code)) return 0;
  return THREE_DECIMALS.has(code) ? 3 : 2;
}

function moneyFormat(currency: string, digits: number): Intl.NumberFormat {
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat("en", { style: "currency", currency, ...exactly });
}
