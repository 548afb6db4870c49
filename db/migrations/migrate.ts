import { setTimeout as sleep } from "node:timers/promises";
import { runMigrations as migrateQueue } from "graphile-worker";
import pg from "pg";
import type postgres from "postgres";
import { pgOptions } from "../adapter/driver-options.ts";
import { withConnection } from "../connection.ts";
import { type JournalEntry, type Migration, readJournal, readMigration } from "./journal.ts";
import { listMigrations, readApplied, requireSupportedSchema } from "./schema-state.ts";
import { LOCK_TIMEOUT_MS, retryWhileLocked } from "./short-locks.ts";

const MIGRATION_LOCK = 7_304_616;
const TURN_POLL_MS = 50;

/**
 * Applies the missing migrations once, up to `through`, however many migrators start at once. Throws an
 * UnsupportedSchemaError before any change.
 */
export async function migrateDatabase(url: string, through?: string): Promise<void> {
  await withConnection(url, async (sql) => {
    await waitForTurn(sql);
    await requireSupportedSchema(sql);
    await prepareTable(sql);
    for (const entry of await listPending(sql, through)) await apply(sql, await readMigration(entry));
    await retryWhileLocked("of the queue", () => migrateQueueAt(url));
  });
}

/** A statement that waits for the lock would hold a snapshot, and CREATE INDEX CONCURRENTLY waits for snapshots. */
async function waitForTurn(sql: postgres.Sql): Promise<void> {
  for (;;) {
    const [row] = await sql`SELECT pg_try_advisory_lock(${MIGRATION_LOCK}) AS is_mine`;
    if (row?.is_mine) return;
    await sleep(TURN_POLL_MS);
  }
}

/** drizzle-kit's table, with two more columns. Changes no existing table, because a dump of the database locks it. */
async function prepareTable(sql: postgres.Sql): Promise<void> {
  const [table] = await sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS exists`;
  if (table?.exists) return;
  await inShortTransaction(sql, "of the list of migrations", async (transaction) => {
    await transaction`CREATE SCHEMA IF NOT EXISTS drizzle`;
    await transaction`CREATE TABLE drizzle.__drizzle_migrations (
      id serial PRIMARY KEY, hash text NOT NULL, created_at bigint, name text, oldest_build text)`;
  });
}

async function listPending(sql: postgres.Sql, through?: string): Promise<JournalEntry[]> {
  const applied = new Set((await readApplied(sql)).map(({ when }) => when));
  const journal = await readJournal();
  const end = through === undefined ? journal.length : journal.findIndex(({ tag }) => tag === through) + 1;
  return journal.slice(0, end).filter(({ when }) => !applied.has(when));
}

async function apply(sql: postgres.Sql, migration: Migration): Promise<void> {
  if (!migration.hasTransaction) {
    await retryWhileLocked(migration.name, () => runAll(sql, migration.statements));
    await record(sql, migration);
    return;
  }
  await inShortTransaction(sql, migration.name, async (transaction) => {
    await runAll(transaction, migration.statements);
    await record(transaction, migration);
  });
}

async function runAll(sql: postgres.ISql, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.unsafe(statement);
}

async function inShortTransaction(
  sql: postgres.Sql,
  name: string,
  run: (transaction: postgres.TransactionSql) => Promise<void>,
): Promise<void> {
  await retryWhileLocked(name, () =>
    sql.begin(async (transaction) => {
      await transaction`SELECT set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`;
      await run(transaction);
    }),
  );
}

async function record(sql: postgres.ISql, { hash, when, name, oldestBuild }: Migration): Promise<void> {
  await sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at, name, oldest_build)
    VALUES (${hash}, ${when}, ${name}, ${oldestBuild})`;
}

async function migrateQueueAt(url: string): Promise<void> {
  const pgPool = new pg.Pool({ ...(await pgOptions(url)), max: 1, lock_timeout: LOCK_TIMEOUT_MS });
  const ignore = () => {};
  // The statement of a lost connection fails by itself. The queue warns about a pool without both handlers.
  pgPool.on("error", ignore).on("connect", (client) => client.on("error", ignore));
  try {
    await migrateQueue({ pgPool });
  } finally {
    await pgPool.end();
  }
}

/** Migrates, or throws before anything is written if a dry run needs a migration. */
export async function migrateUnlessDry(url: string, isDryRun: boolean): Promise<void> {
  if (!isDryRun) return migrateDatabase(url);
  const migrations = await listMigrations(url);
  if (migrations.every(({ isApplied }) => isApplied)) return;
  throw new Error(
    "A dry run changes nothing, but this database must be migrated first: run npm run db:migrate or start the site, then try again.",
  );
}
