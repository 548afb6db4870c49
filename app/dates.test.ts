import { expect, test } from "vitest";
import {
  formatShortZoneTime,
  formatZoneDate,
  formatZoneTime,
  fromZoneTime,
  isDay,
  toZoneTime,
} from "./dates.ts";

const BERLIN = "Europe/Berlin";

test.each([
  ["2026-11-27T20:00", BERLIN, "2026-11-27T19:00:00.000Z"],
  ["2026-07-03T20:00", BERLIN, "2026-07-03T18:00:00.000Z"],
  ["2026-07-03T20:00", "UTC", "2026-07-03T20:00:00.000Z"],
  ["2026-07-03T20:00", "America/Los_Angeles", "2026-07-04T03:00:00.000Z"],
  ["2026-07-03T20:00", "Pacific/Kiritimati", "2026-07-03T06:00:00.000Z"],
])("%s in %s is one moment, and the field shows it again", (text, zone, moment) => {
  const date = fromZoneTime(text, zone);
  expect(date?.toISOString()).toBe(moment);
  expect(date && toZoneTime(date, zone)).toBe(text);
});

test("the first of two equal hours counts, and a missing hour is the one after it", () => {
  expect(fromZoneTime("2026-10-25T02:30", BERLIN)?.toISOString()).toBe("2026-10-25T00:30:00.000Z");
  expect(fromZoneTime("2026-03-29T02:30", BERLIN)?.toISOString()).toBe("2026-03-29T01:30:00.000Z");
});

test.each([
  "",
  "Friday",
  "2026-11-27",
  "2026-13-27T20:00",
  "2026-02-30T20:00",
  "2026-11-27T25:00",
  "2026-11-27T24:00",
  "2026-11-27 20:00",
  "0000-01-01T20:00",
  "1899-12-31T20:00",
  "9999-12-31T20:00",
])("%j is not a time", (text) => {
  expect(fromZoneTime(text, BERLIN)).toBeNull();
  expect(fromZoneTime(text, "America/Los_Angeles")).toBeNull();
});

test.each(["1900-01-01", "2024-02-29", "9998-12-31"])("%s is a day", (text) => {
  expect(isDay(text)).toBe(true);
});

test.each(["", "0000-01-01", "1899-12-31", "9999-12-31", "2026-02-29", "2026-13-01", "2026-5-31"])(
  "%j is not a day",
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);

test("a moment is named with its day of the week and its zone", () => {
  const moment = new Date("2026-11-27T23:30:00Z");
  expect(formatZoneTime(moment, BERLIN)).toBe("Saturday, 28 November 2026, 00:30 (Europe/Berlin)");
  expect(formatShortZoneTime(moment, BERLIN)).toBe("28 Nov 2026, 00:30");
  expect(formatZoneDate(moment, BERLIN)).toBe("28 November 2026");
});
