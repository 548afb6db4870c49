import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, expect, inject, test } from "vitest";
import { readJournal } from "#db/migrations/journal.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { makeRelease } from "#tests/support/upgrade/release.ts";
import { expectFigures } from "./support/figures.ts";

const MIGRATORS = 8;
const ROUNDS = 1;
const KILLS = Math.ceil(ROUNDS / 2);
const MIGRATION_LOCK = 7_304_616;
const NO_TABLE = "42P01";
/** Migrations on top of the present ones, so that a kill comes between two. */
const ADDED = 20;

const dataDir = await mkdtemp(join(tmpdir(), "peony-x07-"));
afterAll(() => rm(dataDir, { recursive: true }));

test("of eight migrators on an empty database all succeed, also when the one at work is killed", async () => {
  const release = await makeRelease(
    Array.from({ length: ADDED }, (_, index) => {
      const number = 900 + index;
      return [
        `0${number}_more`,
        `CREATE TABLE more_${number} (id bigint PRIMARY KEY); SELECT pg_sleep(0.05);`,
      ];
    }),
  );
  const total = (await readJournal()).length + ADDED;
  let failed = 0;
  let killedMidway = 0;
  let notOnce = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each kill comes after another migration.
    const killAfter = round < KILLS ? 1 + ((2 * round) % (total - 2)) : null;
    const url = await cloneDatabase(inject("serverUrl"), "template1");
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    const migrators = Array.from({ length: MIGRATORS }, (_, index) => start(release.folder, url, index));
    const ended = migrators.map(({ child }) => once(child, "close"));
    const killed = killAfter === null ? null : await killAtWork(sql, migrators, killAfter);
    const codes = (await Promise.all(ended)).map(([code]) => code);
    if (killed !== null && killed.applied < total) killedMidway += 1;
    failed += codes.filter((code, index) => index !== killed?.index && code !== 0).length;
    for (const { child, output } of migrators) if (child.exitCode) console.error(output());
    const rows = await sql`SELECT created_at FROM drizzle.__drizzle_migrations`;
    if (rows.length !== total || new Set(rows.map((row) => row.created_at)).size !== total) notOnce += 1;
    await sql.end();
  }
  await release.remove();
  expectFigures({
    failedMigrators: { is: failed, exactly: 0 },
    roundsWithoutOneRowForEachMigration: { is: notOnce, exactly: 0 },
    roundsKilledMidway: { is: killedMidway, exactly: KILLS },
  });
}, 600_000);

interface Migrator {
  child: ChildProcess;
  name: string;
  output(): string;
}

function start(cwd: string, databaseUrl: string, index: number): Migrator {
  const name = `migrator-${index}`;
  const url = new URL(databaseUrl);
  url.searchParams.set("application_name", name);
  const child = spawn(process.execPath, ["build/scripts/migrate.js"], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATABASE_URL: url.href, DATA_DIR: dataDir },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { child, name, output: () => output };
}

/** Kills the migrator that holds the lock once `after` migrations are applied; returns how many were. */
async function killAtWork(sql: postgres.Sql, migrators: Migrator[], after: number) {
  for (;;) {
    const [row] = await sql`SELECT application_name AS name,
        (SELECT count(*)::int FROM drizzle.__drizzle_migrations) AS applied
      FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND objid = ${MIGRATION_LOCK} AND granted
        AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`.catch(
      (error) => {
        if (error.code === NO_TABLE) return [];
        throw error;
      },
    );
    if (!row || row.applied < after) continue;
    const index = migrators.findIndex(({ name }) => name === row.name);
    expect(index).toBeGreaterThanOrEqual(0);
    migrators[index]?.child.kill("SIGKILL");
    return { index, applied: Number(row.applied) };
  }
}
