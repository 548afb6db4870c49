import type Stripe from "stripe";
import { DAY_SECONDS } from "../../stand-in/clock.ts";

export const HOUR_SECONDS = 3_600;
const MONTHS = { month: 1, year: 12 };

/** The end, in seconds, of a period that begins at start. The anchor's day is kept when the month has it. */
export function periodEnd(start: number, recurring: Stripe.Price.Recurring | null, anchor: number): number {
  const { interval, interval_count: count } = recurring ?? { interval: "month", interval_count: 1 };
  if (interval === "day") return start + count * DAY_SECONDS;
  if (interval === "week") return start + count * 7 * DAY_SECONDS;
  const begin = new Date(start * 1000);
  const day = new Date(anchor * 1000).getUTCDate();
  const months = begin.getUTCMonth() + count * (interval === "year" ? MONTHS.year : MONTHS.month);
  const lastDay = new Date(Date.UTC(begin.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const midnight = Date.UTC(begin.getUTCFullYear(), months, Math.min(day, lastDay)) / 1000;
  return midnight + (start % DAY_SECONDS);
}
