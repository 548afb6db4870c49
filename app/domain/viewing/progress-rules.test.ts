import { expect, test } from "vitest";
import { parseStoppedAt, resumePoint } from "./progress-rules.ts";

test.each([
  ["83", 83],
  [" 1:23 ", 83],
  ["12:05", 725],
  ["1:00:00", 3600],
  ["0:00", 0],
  ["90:10", 5410],
  ["\u00a012：05\u200b", 725],
  ["１：２３", 83],
])("%s is understood as a time", (text, seconds) => {
  expect(parseStoppedAt(text, 7200)).toBe(seconds);
});

test.each(["", "soon", "1:75", "1:75:00", "-5", "1:2:3:4", "7201", "99999999"])(
  "%s is not a time in a video of two hours",
  (text) => {
    expect(parseStoppedAt(text, 7200)).toBeNull();
  },
);

test("completed or unopened media starts at the beginning", () => {
  expect(resumePoint({ progress: 83.9, isCompleted: false })).toBe(83);
  expect(resumePoint({ progress: 600, isCompleted: true })).toBeNull();
  expect(resumePoint({ progress: 0, isCompleted: false })).toBeNull();
  expect(resumePoint(null)).toBeNull();
});

test("a set that has lost photos goes on at its last one", () => {
  const saved = { progress: 75, isCompleted: false };
  expect([60, 75, 80, 0].map((count) => resumePoint(saved, count))).toEqual([60, 75, 75, null]);
});
