import { dayWords } from "./day-words.ts";

const DAY_MS = 24 * 3600 * 1000;

/** For how long a contract that was made online can be withdrawn from. Source: Directive 2011/83/EU, articles 9 and 11a. */
export const WITHDRAWAL_DAYS = 14;

/** The last day of it: "5 December 2026". */
export function withdrawalEnd(madeAt: Date): string {
  return dayWords(endOf(madeAt));
}

/** Whether it is still worth showing the way. What counts is decided by the database's clock. */
export function isWithdrawable(madeAt: Date, now = new Date()): boolean {
  return now <= endOf(madeAt);
}

function endOf(madeAt: Date): Date {
  return new Date(madeAt.getTime() + WITHDRAWAL_DAYS * DAY_MS);
}
