import type { Interval } from "./plan-price.ts";

const DAY_MS = 24 * 3600 * 1000;

interface Charged {
  interval: Interval;
  intervalCount: number;
  trialDays: number | null;
}

export function chargeDates(plan: Charged, now: Date): { first: Date; second: Date } {
  const first = plan.trialDays === null ? now : addDays(now, plan.trialDays);
  return { first, second: addInterval(first, plan.interval, plan.intervalCount) };
}

/** In UTC. A month after the 31st is the last day of a shorter month, as payment providers count. */
function addInterval(date: Date, interval: Interval, count: number): Date {
  if (interval === "day") return addDays(date, count);
  if (interval === "week") return addDays(date, 7 * count);
  const months = interval === "year" ? 12 * count : count;
  const later = new Date(date);
  later.setUTCMonth(later.getUTCMonth() + months);
  if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0);
  return later;
}

function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}
