import { expect, test } from "vitest";
import { CHAPTER_TIME_LENGTH, formatChapterTime, parseChapterTime } from "./chapter-times.ts";

test.each([
  ["0", 0],
  ["65", 65],
  ["1:05", 65],
  ["90:00", 5400],
  ["1:02:03", 3723],
  ["1:02:03.5", 3723.5],
])("%s is %d seconds", (text, seconds) => {
  expect(parseChapterTime(text)).toBe(seconds);
});

test.each(["", "soon", "1:60", "1:60:00", "-1", "1:2:3:4", "1:", ":5", "1e3"])("%j is no time", (text) => {
  expect(parseChapterTime(text)).toBeNull();
});

test.each([0, 5, 65, 3600, 3723.5, 0.125])(
  "a time of %d seconds is read back from what a form shows",
  (seconds) => {
    expect(parseChapterTime(formatChapterTime(seconds))).toBe(seconds);
  },
);

test("the longest time fits the field of a form", () => {
  expect(formatChapterTime(999 * 3600 + 3599.999)).toHaveLength(CHAPTER_TIME_LENGTH);
});
