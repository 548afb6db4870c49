import { formatDate } from "./format-date.ts";

const DAY_MS = 24 * 3600 * 1000;

/** Withdrawal period for contracts made online. Source: Directive 2011/83/EU, articles 9 and 11a. */
export const WITHDRAWAL_DAYS = 14;

export function withdrawalEnd(madeAt: Date): string {
  return formatDate(endOf(madeAt));
}

/** Whether the link is worth showing. `now`: by the database's clock, which decides. */
export function isWithdrawable(madeAt: Date, now: Date): boolean {
  return now <= endOf(madeAt);
}

function endOf(madeAt: Date): Date {
  return new Date(madeAt.getTime() + WITHDRAWAL_DAYS * DAY_MS);
}
