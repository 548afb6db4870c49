import { expect, test } from "vitest";
import { LENGTH_LABELS } from "#app/ui/catalog/filter-labels.ts";
import { LENGTH_BANDS, LENGTHS, parseFilters } from "./list-filters.ts";

test.each<[string, string | null]>([
  ["\u00a0silk\u200b", "silk"],
  ["\ufeff\u2068silk\u2069 and\u3000gold", "silk and gold"],
  ["si\u00adlk", "silk"],
  ["\u0645\u06cc\u200c\u0634\u0648\u062f", "\u0645\u06cc \u0634\u0648\u062f"],
  [`${"a".repeat(63)}\u{1f1e9}\u{1f1ea}`, "a".repeat(63)],
  ["\u{1f1e9}\u{1f1ea}", "\u{1f1e9}\u{1f1ea}"],
  ["\u3164\u2800", null],
  ["\u0301", null],
])("the search for %j is for %j", (typed, expected) => {
  expect(parseFilters(new URLSearchParams({ q: typed })).q).toBe(expected);
});

test("the labels of lengths match the bands", () => {
  const [medium, long] = LENGTH_BANDS.video.map((seconds) => seconds / 60);
  const [some, many] = LENGTH_BANDS.photoSet;
  expect(LENGTH_LABELS).toEqual({
    video: named(`Under ${medium} minutes`, `${medium} to ${long} minutes`, `${long} minutes and more`),
    photoSet: named(`Under ${some} photos`, `${some} to ${many - 1} photos`, `${many} photos and more`),
  });
});

function named(...names: string[]) {
  return LENGTHS.map((length, index) => [length, names[index]]);
}
