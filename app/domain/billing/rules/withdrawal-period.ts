import { addDays, formatDate } from "#app/dates.ts";

/** Withdrawal period for contracts made online. Source: Directive 2011/83/EU, articles 9 and 11a. */
export const WITHDRAWAL_DAYS = 14;

/** A refund is due within these days of the withdrawal: the same directive, article 13. */
export const REFUND_DAYS = 14;

export function withdrawalEnd(madeAt: Date): string {
  return `the end of ${formatDate(addDays(madeAt, WITHDRAWAL_DAYS))} (UTC)`;
}

/** The whole last day counts: decision 186. `now` comes from the database's clock. */
export function isWithdrawable(madeAt: Date, now: Date): boolean {
  const end = addDays(madeAt, WITHDRAWAL_DAYS + 1);
  end.setUTCHours(0, 0, 0, 0);
  return now < end;
}
