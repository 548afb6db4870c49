import { addDays, formatDate } from "#app/dates.ts";

/** Withdrawal period for contracts made online. Source: Directive 2011/83/EU, articles 9 and 11a. */
export const WITHDRAWAL_DAYS = 14;

export function withdrawalEnd(madeAt: Date): string {
  return formatDate(addDays(madeAt, WITHDRAWAL_DAYS));
}

/** `now`: by the database's clock, which decides. */
export function isWithdrawable(madeAt: Date, now: Date): boolean {
  return now <= addDays(madeAt, WITHDRAWAL_DAYS);
}
