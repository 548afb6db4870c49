import { spawn } from "node:child_process";
import { once } from "node:events";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

const MIGRATORS = 8;

test("eight concurrent migrators on an empty database all succeed, and apply each migration once", async () => {
  const url = await cloneDatabase(inject("serverUrl"), "template1");
  const exits = await Promise.all(Array.from({ length: MIGRATORS }, () => migrateInProcess(url)));
  expect(exits).toEqual(Array.from({ length: MIGRATORS }, () => 0));

  const sql = postgres(url, { max: 1 });
  const rows = await sql`SELECT hash, count(*)::int AS times FROM drizzle.__drizzle_migrations GROUP BY hash`;
  await sql.end();
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.every((row) => row.times === 1)).toBe(true);
}, 120_000);

async function migrateInProcess(url: string): Promise<number> {
  const child = spawn(process.execPath, [await builtScript("migrate")], {
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATABASE_URL: url },
    stdio: "ignore",
  });
  const [code] = await once(child, "exit");
  return code as number;
}
