import { readFile } from "node:fs/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { runMigrations as migrateQueue } from "graphile-worker";
import { withConnection } from "./connection.ts";

/** Any constant, as long as every migrator uses the same one. */
const MIGRATION_LOCK = 7_304_616;
const MIGRATIONS_FOLDER = "drizzle";

interface Journal {
  entries: { tag: string; when: number }[];
}

/** Applies the missing migrations once, however many migrators start at the same moment. */
export async function migrateDatabase(url: string): Promise<void> {
  await withConnection(url, async (sql) => {
    await sql`SELECT pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(drizzle(sql), { migrationsFolder: MIGRATIONS_FOLDER });
    await migrateQueue({ connectionString: url });
  });
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
  const journal: Journal = JSON.parse(await readFile(`${MIGRATIONS_FOLDER}/meta/_journal.json`, "utf8"));
  return withConnection(url, async (sql) => {
    const [table] = await sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS exists`;
    const rows = table?.exists ? await sql`SELECT created_at FROM drizzle.__drizzle_migrations` : [];
    const applied = new Set(rows.map((row) => Number(row.created_at)));
    return journal.entries.map(({ tag, when }) => ({ name: tag, isApplied: applied.has(when) }));
  });
}
