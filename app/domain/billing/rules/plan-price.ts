export type Interval = "day" | "week" | "month" | "year";

export interface Recurrence {
  interval: Interval;
  intervalCount: number;
}

/** A year has 365.25 days, so that weeks and days compare fairly with a month. */
const MONTHS: Record<Interval, number> = { day: 12 / 365.25, week: 84 / 365.25, month: 1, year: 12 };

export function monthlyAmount({ amount, interval, intervalCount }: Recurrence & { amount: number }): number {
  return Math.round(amount / (MONTHS[interval] * intervalCount));
}
