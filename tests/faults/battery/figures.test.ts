import { expect, test } from "vitest";
import { reportFigures } from "./figures.ts";

test("a figure that was missed fails the scenario and is named", () => {
  reportFigures("X0", {
    lost: { is: 0, exactly: 0 },
    p95: { is: 3, atMost: 4 },
    refused: { is: 99, atLeast: 95 },
  });
  const missed = { lost: { is: 1, exactly: 0 } } as const;
  expect(() => reportFigures("X0", missed)).toThrow(/lost/);
  expect(() => reportFigures("X0", { p95: { is: 5, atMost: 4 } })).toThrow(/p95/);
  expect(() => reportFigures("X0", { refused: { is: Number.NaN, atLeast: 1 } })).toThrow(/refused/);
});
