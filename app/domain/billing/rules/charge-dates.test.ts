import { expect, test } from "vitest";
import { chargeDates, type Recurrence } from "./charge-dates.ts";

test.each<[string, Recurrence["interval"], number, number | null, string, string]>([
  ["2026-11-21", "month", 1, null, "2026-11-21", "2026-12-21"],
  ["2026-11-21", "month", 1, 7, "2026-11-28", "2026-12-28"],
  ["2026-12-25", "month", 1, 7, "2027-01-01", "2027-02-01"],
  ["2027-01-31", "month", 1, null, "2027-01-31", "2027-02-28"],
  ["2027-08-31", "month", 3, null, "2027-08-31", "2027-11-30"],
  ["2028-02-29", "year", 1, null, "2028-02-29", "2029-02-28"],
  ["2026-11-21", "year", 1, 30, "2026-12-21", "2027-12-21"],
  ["2026-12-30", "week", 2, null, "2026-12-30", "2027-01-13"],
  ["2026-12-31", "day", 3, null, "2026-12-31", "2027-01-03"],
  ["2026-11-21", "day", 30, 3, "2026-11-24", "2026-12-24"],
])(
  "begun on %s, every %s × %i, after a first period of %s days: %s, then %s",
  (now, interval, intervalCount, days, ...dates) => {
    const { first, second } = chargeDates(
      { interval, intervalCount, firstPeriod: days === null ? null : { days, amount: 0 } },
      new Date(`${now}T23:30:00Z`),
    );
    expect([first, second].map((date) => date.toISOString().slice(0, 10))).toEqual(dates);
  },
);
