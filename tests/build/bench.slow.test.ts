import { execFile } from "node:child_process";
import { promisify } from "node:util";
import postgres from "postgres";
import { expect, inject, onTestFinished, test } from "vitest";
import { createCatalogue } from "../../bench/fill/fill-catalogue.ts";
import { median, percentile } from "../../bench/report/figures.ts";

const SIZE = 1_000;

test.each([
  [["--only", "home", "--only", "hom"], "There is no figure called hom.", "home, signed out"],
  [["lists", "--only", "home"], "There is no figure called home.", "a common word"],
  [["page"], "There is no suite called page.", "pages"],
])(
  "a benchmark with a name that does not exist fails with those that do: %s",
  async (args, sentence, name) => {
    const run = promisify(execFile)(process.execPath, ["--import", "tsx", "bench/run.ts", ...args]);
    const { code, stderr } = await run.then(
      ({ stderr }) => ({ code: 0, stderr }),
      (error: { code: number; stderr: string }) => error,
    );
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr.split("\n")).toContain(name);
  },
);

test("the median of an even number of values lies between the two in the middle", () => {
  expect([median([3]), median([9, 1]), median([4, 1, 100, 2]), median([7, 1, 5])]).toEqual([3, 5, 3, 5]);
  expect(percentile([1, 2, 3, 4], 0.95)).toBe(4);
});

test("the catalogue of the lists is filled", { timeout: 120_000 }, async () => {
  const sql = postgres(await createCatalogue(inject("serverUrl"), SIZE), { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  expect(await sql`SELECT count(*)::int AS media FROM media`).toEqual([{ media: SIZE }]);
});
