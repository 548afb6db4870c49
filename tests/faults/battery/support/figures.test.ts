import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { reportFigures } from "./figures.ts";
import { chosen, linesOfAbsent, PHASES } from "./scenarios.ts";

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

test("every scenario of the folder is expected in the report", () => {
  const files = readdirSync(join(import.meta.dirname, ".."), { recursive: true, encoding: "utf8" })
    .map((path) => basename(path))
    .filter((name) => /^x\d+-.*\.test\.ts$/.test(name));
  const scenarios = PHASES.flatMap((phase) => phase.scenarios);
  expect(scenarios.map((name) => `${name}.test.ts`).sort()).toEqual(files.sort());
  expect(chosen(scenarios, ["x02", "x22-soak"]).sort()).toEqual(["x02-durable-writes", "x22-soak"]);
});

test("a scenario that leaves no line gets a failing one", () => {
  const report = '{"id":"X1","pass":true,"figures":{}}\n';
  expect(linesOfAbsent(["x01-killed-transactions"], report)).toEqual([]);
  const lines = linesOfAbsent(["x01-killed-transactions", "x16-full-disk"], report);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ id: "X16", pass: false }),
  ]);
  expect(linesOfAbsent(["x01-one-part", "x01-another"], report)).toHaveLength(1);
});
