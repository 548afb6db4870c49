import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { deleteStoredFolder, mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { listMigrations } from "#db/migrations/schema-state.ts";
import { flag, readOne, readRow, text } from "#db/rows.ts";
import { BackupError, type BackupHead, MEDIA_FOLDERS } from "./archive-format.ts";
import { type BackupDatabase, withLongConnection } from "./long-connection.server.ts";
import { listTables, type Table, tableNamed } from "./tables.server.ts";

/** Tables with rows of their own in a site that nobody has used. */
const FILLED_BY_THE_SITE = ["site_settings", "catalog_totals", "counted_day"];
/** The connection of a command that has just ended closes within moments. */
const OTHERS_TRIES = 20;
const OTHERS_POLL_MS = 100;
/** SQLSTATE. */
const NOT_LOCKED = "55P03";
const NOT_EMPTY =
  "The database is not empty: a restore needs one without tables, as createdb makes it, or an unused DATA_DIR.";
const OTHER_TABLES =
  "The backup and the database have different tables or columns: take another backup, or an empty database.";
const IN_USE = "stop the site that runs on it, then try again.";
const MEDIA_NOT_EMPTY =
  "There are media files already, and this backup has its own: choose an unused DATA_DIR, or another folder of the object store.";

export async function requireEmptyTarget(url: string, head: BackupHead): Promise<void> {
  const newest = (await listMigrations(url)).findLast(({ isApplied }) => isApplied)?.name;
  if (newest !== undefined && newest !== head.migration) throw new BackupError(NOT_EMPTY);
  await withLongConnection(url, async (db) => {
    const isEmpty =
      newest === undefined ? !(await hasRelations(db)) : await areEmpty(db, await listTables(db));
    if (!isEmpty) throw new BackupError(NOT_EMPTY);
    await requireNobodyElse(db);
  });
  await requireNoMedia(head);
}

/**
 * Nobody else uses the tables until the transaction ends. The tables are those that the database has. Throws a BackupError
 * when the backup names others, or when rows were written since `requireEmptyTarget`.
 */
export async function claimEmptyTables(db: BackupDatabase, head: BackupHead): Promise<void> {
  const tables = await listTables(db);
  await db.execute(sql`SET LOCAL lock_timeout = '10s'`);
  await db
    .execute(sql`LOCK TABLE ${namesOf(tables.map(({ name }) => name))} IN ACCESS EXCLUSIVE MODE`)
    .catch(explainLock);
  await requireNobodyElse(db);
  if (!(await areEmpty(db, tables))) throw new BackupError(NOT_EMPTY);
  if (namesIn(tables) !== namesIn(head.tables)) throw new BackupError(OTHER_TABLES);
  await requireNoMedia(head);
  // The database has the tables of the backup's own migration, which may be from before some of these.
  const filled = FILLED_BY_THE_SITE.filter((name) => tables.some((table) => table.name === name));
  await db.execute(sql`TRUNCATE ${namesOf(filled)}`);
}

function explainLock(error: { cause?: { code?: string } }): never {
  if (error.cause?.code === NOT_LOCKED) throw new BackupError(`Somebody else uses this database: ${IN_USE}`);
  throw error;
}

const Session = z.object({ user: text, program: text.nullable() });

/** A site that nobody has used yet may be about to get its first member. */
async function requireNobodyElse(db: BackupDatabase): Promise<void> {
  for (let left = OTHERS_TRIES; ; left -= 1) {
    // PostgreSQL would show the first answer until the end of the transaction.
    await db.execute(sql`SELECT pg_stat_clear_snapshot()`);
    // Without the right to see others' activity, the kind of their sessions is null, and autovacuum has no user.
    const other = await readRow(db, Session)`
      SELECT usename AS user, application_name AS program FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
        AND COALESCE(backend_type, 'client backend') = 'client backend' LIMIT 1`;
    if (other === null) return;
    if (left > 0) {
      await sleep(OTHERS_POLL_MS);
      continue;
    }
    throw new BackupError(
      `Somebody else uses this database (user ${other.user}, program ${other.program || "unknown"}): ${IN_USE}`,
    );
  }
}

export async function deleteMedia(): Promise<void> {
  for (const folder of MEDIA_FOLDERS) await deleteStoredFolder(folder);
}

async function requireNoMedia({ hasMedia }: BackupHead): Promise<void> {
  if (!hasMedia) return;
  for (const folder of MEDIA_FOLDERS) {
    for await (const _ of mediaStorage.entries(folder)) throw new BackupError(MEDIA_NOT_EMPTY);
  }
}

/** Tables, views and sequences of anybody, those of extensions apart. */
async function hasRelations(db: BackupDatabase): Promise<boolean> {
  const { rows } = await db.execute(sql`
    SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname <> 'information_schema' AND NOT starts_with(nspname, 'pg_')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') LIMIT 1`);
  return rows.length > 0;
}

async function areEmpty(db: BackupDatabase, tables: Table[]): Promise<boolean> {
  if (await areReferencedFromOutside(db)) return false;
  const checks = tables
    .filter(({ name }) => !FILLED_BY_THE_SITE.includes(name))
    .map(({ name }) => sql`EXISTS (SELECT FROM ${tableNamed(name)})`);
  return !(await readOne(db, flag)`SELECT ${sql.join(checks, sql` OR `)}`);
}

async function areReferencedFromOutside(db: BackupDatabase): Promise<boolean> {
  const { rows } = await db.execute(sql`
    SELECT FROM pg_constraint JOIN pg_class source ON source.oid = conrelid JOIN pg_class target ON target.oid = confrelid
    WHERE contype = 'f' AND target.relnamespace = 'public'::regnamespace
      AND source.relnamespace <> 'public'::regnamespace LIMIT 1`);
  return rows.length > 0;
}

/** The same for the same tables with the same columns, in any order. */
function namesIn(tables: Pick<Table, "name" | "columns">[]): string {
  return JSON.stringify(
    tables.map(({ name, columns }) => [name, ...columns.toSorted()].join("\0")).toSorted(),
  );
}

function namesOf(tables: string[]): SQL {
  return sql.join(tables.map(tableNamed), sql`, `);
}
