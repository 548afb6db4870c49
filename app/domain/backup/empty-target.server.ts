import { type SQL, sql } from "drizzle-orm";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { listMigrations } from "#db/migrations/schema-state.ts";
import { BackupError, type BackupHead } from "./archive-format.ts";
import { type BackupDatabase, withLongConnection } from "./connect.server.ts";
import { newer } from "./read-head.server.ts";
import { tableNamed } from "./tables.server.ts";

/** Tables with rows of their own in a site that nobody has used. */
const FILLED_BY_THE_SITE = ["site_settings", "catalog_totals"];
const MEDIA_FOLDERS = ["media", "creators", "avatars"];
/** SQLSTATE. */
const NOT_LOCKED = "55P03";
const NOT_EMPTY =
  "The database is not empty: a restore needs one without tables, as createdb makes it, or an unused DATA_DIR.";
const IN_USE = "Somebody else uses this database: stop the site that runs on it, then try again.";
const MEDIA_NOT_EMPTY =
  "The media folder is not empty, and this backup has media files of its own: choose an unused DATA_DIR.";

/** Throws a BackupError before anything is changed. */
export async function requireEmptyTarget(url: string, head: BackupHead): Promise<void> {
  const migrations = await listMigrations(url);
  if (!migrations.some(({ name }) => name === head.migration)) throw newer(head.migration);
  const newest = migrations.findLast(({ isApplied }) => isApplied)?.name;
  const isOther = newest !== undefined && newest !== head.migration;
  const holds = newest === undefined ? hasRelations : (db: BackupDatabase) => hasRows(db, head);
  if (isOther || (await withLongConnection(url, holds))) throw new BackupError(NOT_EMPTY);
  await requireNoMedia(head);
}

/** Nobody else uses the tables until the transaction ends. Throws a BackupError when rows were written since `requireEmptyTarget`. */
export async function claimEmptyTables(db: BackupDatabase, head: BackupHead): Promise<void> {
  await db.execute(sql`SET LOCAL lock_timeout = '10s'`);
  await db.execute(sql`LOCK TABLE ${allTables(head)} IN ACCESS EXCLUSIVE MODE`).catch(explainLock);
  if (await hasRows(db, head)) throw new BackupError(NOT_EMPTY);
  await requireNoMedia(head);
  await db.execute(sql`TRUNCATE ${allTables(head)} CASCADE`);
}

function explainLock(error: { cause?: { code?: string } }): never {
  if (error.cause?.code === NOT_LOCKED) throw new BackupError(IN_USE);
  throw error;
}

export async function deleteMedia(): Promise<void> {
  for (const folder of MEDIA_FOLDERS) await mediaStorage.deleteFolder(folder);
}

async function requireNoMedia({ hasMedia }: BackupHead): Promise<void> {
  if (!hasMedia) return;
  for (const folder of MEDIA_FOLDERS) {
    const found = await mediaStorage.list(folder, { limit: 1 });
    if (found.length > 0) throw new BackupError(MEDIA_NOT_EMPTY);
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

async function hasRows(db: BackupDatabase, { tables }: BackupHead): Promise<boolean> {
  const names = tables.map(({ name }) => name).filter((name) => !FILLED_BY_THE_SITE.includes(name));
  const checks = names.map((name) => sql`EXISTS (SELECT FROM ${tableNamed(name)})`);
  const { rows } = await db.execute<{ found: boolean }>(sql`SELECT ${sql.join(checks, sql` OR `)} AS found`);
  return rows[0]?.found === true;
}

function allTables({ tables }: BackupHead): SQL {
  return sql.join(
    tables.map(({ name }) => tableNamed(name)),
    sql`, `,
  );
}
