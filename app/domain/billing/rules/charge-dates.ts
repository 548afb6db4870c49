import { addDays } from "#app/dates.ts";
import type { Price } from "#db/schema/prices.ts";

export type Recurrence = Pick<Price, "interval" | "intervalCount">;

/** Of the full price: the first one comes after a first period that is free or has a price of its own. */
export function chargeDates(
  plan: Recurrence & Pick<Price, "firstPeriod">,
  now: Date,
): { first: Date; second: Date } {
  const first = addDays(now, plan.firstPeriod?.days ?? 0);
  return { first, second: addInterval(first, plan) };
}

/** In UTC. A month after the 31st is the last day of a shorter month, as payment providers count. */
export function addInterval(date: Date, { interval, intervalCount: count }: Recurrence): Date {
  if (interval === "day") return addDays(date, count);
  if (interval === "week") return addDays(date, 7 * count);
  const months = interval === "year" ? 12 * count : count;
  const later = new Date(date);
  later.setUTCMonth(later.getUTCMonth() + months);
  if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0);
  return later;
}
