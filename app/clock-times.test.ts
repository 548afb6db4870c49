import { expect, test } from "vitest";
import { CLOCK_TIME_LENGTH, formatClockTime, parseClockTime } from "./clock-times.ts";

test.each([
  ["0", 0],
  ["65", 65],
  ["1:05", 65],
  ["90:00", 5400],
  ["1:02:03", 3723],
  ["1:02:03.5", 3723.5],
  ["１：０２：０３．５", 3723.5],
])("%s is %d seconds", (text, seconds) => {
  expect(parseClockTime(text)).toBe(seconds);
});

test.each(["", "soon", "1:60", "1:60:00", "-1", "1:2:3:4", "1:", ":5", "1e3"])("%j is not a time", (text) => {
  expect(parseClockTime(text)).toBeNull();
});

test.each([0, 5, 65, 3600, 3723.5, 0.125])(
  "a time of %d seconds survives the way through a form",
  (seconds) => {
    expect(parseClockTime(formatClockTime(seconds))).toBe(seconds);
  },
);

test("the longest time fits the field of a form", () => {
  expect(formatClockTime(999 * 3600 + 3599.999)).toHaveLength(CLOCK_TIME_LENGTH);
});
