import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { applyPatch, listMutants } from "./patches.ts";
import { THREATS } from "./threats.ts";

const mutants = listMutants();

test("every threat has a mutant, or a reason for none", () => {
  const rows = new Set(mutants.map(({ row }) => row));
  const unexplained = Object.entries(THREATS)
    .filter(([row, { withoutMutant }]) => rows.has(Number(row)) === (withoutMutant !== undefined))
    .map(([row, { attack }]) => `${row}: ${attack}`);
  expect(unexplained).toEqual([]);
  expect([...rows].filter((row) => !(row in THREATS))).toEqual([]);
});

test.each(mutants)("$name applies to the current code and names an existing test", (mutant) => {
  expect(mutant.name).toMatch(new RegExp(`^row-0?${mutant.row}-[a-z0-9-]+$`));
  expect(() => applyPatch(mutant.path, ".", "--check")).not.toThrow();
  expect(existsSync(mutant.test.file), mutant.test.file).toBe(true);
  expect(readFileSync(mutant.test.file, "utf8")).toContain(mutant.test.name ?? "");
});
