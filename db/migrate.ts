import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { runMigrations as migrateQueue } from "graphile-worker";
import type postgres from "postgres";
import { withConnection } from "./connection.ts";

/** Any constant, as long as every migrator uses the same one. */
const MIGRATION_LOCK = 7_304_616;
const MIGRATIONS_FOLDER = "drizzle";
const JOURNAL = "meta/_journal.json";

interface Journal {
  entries: { tag: string; when: number }[];
}

/** Applies the missing migrations once, however many migrators start at the same moment; the last is `through`. */
export async function migrateDatabase(url: string, through?: string): Promise<void> {
  await withConnection(url, async (sql) => {
    await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    if (through === undefined) await migrate(drizzle(sql), { migrationsFolder: MIGRATIONS_FOLDER });
    else await migrateThrough(sql, through);
    await migrateQueue({ connectionString: url });
  });
}

/** Drizzle applies all of a folder, so this one ends with `last`. */
async function migrateThrough(sql: postgres.Sql, last: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "peony-migrations-"));
  try {
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const { entries, ...journal } = await readJournal();
    const count = entries.findIndex(({ tag }) => tag === last) + 1;
    const shortened = JSON.stringify({ ...journal, entries: entries.slice(0, count) });
    await writeFile(join(folder, JOURNAL), shortened);
    await migrate(drizzle(sql), { migrationsFolder: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Migrates, or throws before anything is written when a dry run needs a migration. */
export async function migrateUnlessDry(url: string, isDryRun: boolean): Promise<void> {
  if (!isDryRun) return migrateDatabase(url);
  const migrations = await listMigrations(url);
  if (migrations.every(({ isApplied }) => isApplied)) return;
  throw new Error(
    "A dry run writes nothing, and this database has to be migrated first: run npm run db:migrate or start the site, then try again.",
  );
}

export async function listMigrations(url: string) {
  const journal = await readJournal();
  return withConnection(url, async (sql) => {
    const [table] = await sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS exists`;
    const rows = table?.exists ? await sql`SELECT created_at FROM drizzle.__drizzle_migrations` : [];
    const applied = new Set(rows.map((row) => Number(row.created_at)));
    return journal.entries.map(({ tag, when }) => ({ name: tag, isApplied: applied.has(when) }));
  });
}

async function readJournal(): Promise<Journal> {
  return JSON.parse(await readFile(join(MIGRATIONS_FOLDER, JOURNAL), "utf8"));
}
