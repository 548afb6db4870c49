import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, expect, inject, test } from "vitest";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { runScript } from "#tests/support/process/built-script.ts";
import { readJournal } from "./journal.ts";

const MIGRATORS = 8;

const dataDir = await mkdtemp(join(tmpdir(), "peony-migrate-"));
afterAll(() => rm(dataDir, { recursive: true }));

test("eight concurrent migrators on an empty database all succeed, and apply each migration once", async () => {
  const url = await cloneDatabase(inject("serverUrl"), "template1");
  const runs = await Promise.all(Array.from({ length: MIGRATORS }, () => run("migrate", [], url)));
  expect(runs.map(({ code }) => code)).toEqual(Array.from({ length: MIGRATORS }, () => 0));

  const sql = postgres(url, { max: 1 });
  const rows = await sql`SELECT hash, count(*)::int AS times FROM drizzle.__drizzle_migrations GROUP BY hash`;
  await sql.end();
  expect(rows).toHaveLength((await readJournal()).length);
  expect(rows.every((row) => row.times === 1)).toBe(true);
}, 120_000);

test.each([
  ["billing-sync", ["--dry-run"]],
  ["billing-reconcile", ["--dry-run"]],
  ["import-media", ["tests", "--dry-run"]],
])(
  "a dry run of %s leaves a database that has to be migrated as it is",
  async (script, args) => {
    const url = await cloneDatabase(inject("serverUrl"), "template1");
    const { code, output } = await run(script, args, url);
    expect(output).toMatch(
      /^[^\n]*A dry run changes nothing, but this database must be migrated first: [^\n]*\.\n$/,
    );
    expect(code).toBe(1);

    const sql = postgres(url, { max: 1 });
    const tables =
      await sql`SELECT 1 FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
    await sql.end();
    expect(tables).toHaveLength(0);
  },
  60_000,
);

async function run(name: string, args: string[], url: string): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await runScript(name, args, { DATABASE_URL: url, DATA_DIR: dataDir });
  return { code, output: stdout + stderr };
}
