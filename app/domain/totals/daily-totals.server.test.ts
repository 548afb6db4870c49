import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { toZoneTime } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { dayOf, startOfDay } from "./daily-totals.server.ts";

const ZONES = [
  "UTC",
  "Africa/Casablanca",
  "Africa/Cairo",
  "America/Havana",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
];
/** Every five hours of two years, and times before any clock that is looked up. */
const MOMENTS = [
  "2001-03-01T00:30:00.000Z",
  ...Array.from({ length: 3_500 }, (_, index) =>
    new Date(Date.UTC(2026, 0, 1) + index * 5 * 3_600_000).toISOString(),
  ),
];

test.each(ZONES)("days in %s are those of the clocks that the pages show", async (zone) => {
  const days = await readRows(db, text)`
    SELECT ${dayOf(sql`moment`, zone)}::text FROM unnest(${sql.param(`{${MOMENTS.join()}}`)}::timestamptz[]) AS moment`;
  expect(days).toEqual(MOMENTS.map((moment) => toZoneTime(new Date(moment), zone).slice(0, 10)));
});

test("a zone that is too new for many databases is counted", async () => {
  const day = dayOf(sql`timestamptz '2026-12-01T02:30:00Z'`, "America/Coyhaique");
  expect(await readRows(db, text)`SELECT ${day}::text`).toEqual(["2026-11-30"]);
});

test.each([
  ["2026-10-30T12:00:00Z", "Africa/Cairo", "2026-10-29T22:00:00.000Z"],
  // The clocks skip midnight.
  ["2026-04-24T12:00:00Z", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
  // Midnight comes twice.
  ["2026-11-01T12:00:00Z", "America/Havana", "2026-11-01T04:00:00.000Z"],
])("the day of %s in %s began at %s", (now, timeZone, start) => {
  expect(startOfDay({ now: new Date(now), timeZone }).toISOString()).toBe(start);
});
