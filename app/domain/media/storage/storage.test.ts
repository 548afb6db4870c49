import { expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { readRange } from "./storage.ts";

test.each([
  [null, "whole"],
  ["bytes=0-", { start: 0, end: 99 }],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=10-19", { start: 10, end: 19 }],
  ["bytes=90-1000", { start: 90, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=5-2", "whole"],
  ["bytes=0-1,5-6", "whole"],
  ["bytes=a-b", "whole"],
  ["lines=0-1", "whole"],
  ["lines=900-901", "whole"],
  ["nonsense", "whole"],
])("the header %s asks for %o of 100 bytes", (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected);
});

test("no header leads outside the file", () => {
  const number = fc.oneof(fc.nat(), fc.constant(""), fc.bigInt({ min: 0n }));
  fc.assert(
    fc.property(fc.nat(1000), number, number, (size, first, last) => {
      const range = readRange(`bytes=${first}-${last}`, size);
      return typeof range === "string" || (range.start >= 0 && range.start <= range.end && range.end < size);
    }),
    { numRuns: 5_000 },
  );
});
