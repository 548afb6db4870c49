import type { Fact } from "../contract/facts.ts";

/** ISO 4217 numbers are text, because one begins with 0. Yen are left out: how CCBill writes them is not documented. */
const CODES: Record<string, string> = { usd: "840", eur: "978", gbp: "826", cad: "124", aud: "036" };
const AMOUNT = /^(\d{1,7})(?:\.(\d{1,2}))?$/;

export type Money = Extract<Fact, { kind: "renewal" }>["paid"];

export const CURRENCIES = Object.keys(CODES);

export function codeOf(currency: string): string | null {
  return Object.hasOwn(CODES, currency) ? (CODES[currency] ?? null) : null;
}

export function currencyOf(code: string): string | null {
  return CURRENCIES.find((currency) => CODES[currency] === code) ?? null;
}

/** 999 becomes "9.99". */
export function amountText(amount: number): string {
  const digits = String(amount).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** "18.0" becomes 1800. Never by a fraction, which cannot hold every amount. */
export function parseAmount(text: string): number | null {
  const [, whole, fraction = ""] = AMOUNT.exec(text) ?? [];
  return whole === undefined ? null : Number(whole + fraction.padEnd(2, "0"));
}
