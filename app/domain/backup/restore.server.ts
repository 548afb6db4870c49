import { stat } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { listMigrations } from "#db/migrations/schema-state.ts";
import { type ArchiveEntry, damaged, readArchive, readAs } from "./archive.server.ts";
import { withLongConnection } from "./connect.server.ts";
import {
  type BackupEnd,
  BackupError,
  type BackupHead,
  entryNames,
  FORMAT,
  headSchema,
  type OnProgress,
} from "./contents.ts";
import { Restoration } from "./restoration.server.ts";
import { tableNamed } from "./tables.server.ts";

export interface Restored {
  head: BackupHead;
  end: BackupEnd;
  /** Keys of files that the backup only lists, and that are not in the media folder as they were. */
  absent: string[];
}

/** Tables with rows of their own in a site that nobody has used. */
const FILLED_BY_THE_SITE = ["site_settings", "catalog_totals"];
const MEDIA_FOLDERS = ["media", "creators", "avatars"];
const NOT_EMPTY =
  "The database is not empty: a restore needs one without tables, as createdb makes it, or an unused DATA_DIR.";
const MEDIA_NOT_EMPTY =
  "The media folder is not empty, and this backup has media files of its own: choose an unused DATA_DIR.";
const anyFormat = z.looseObject({ format: z.number() });

/** All or nothing. Throws a BackupError when the backup or the target cannot be used. */
export async function restore(url: string, path: string, onProgress: OnProgress): Promise<Restored> {
  const total = (await stat(path)).size;
  const entries = readArchive(path);
  const head = await readHead(entries);
  await requireEmptyTarget(url, head);
  await migrateDatabase(url, head.migration);
  try {
    const restored = await withLongConnection(url, (db, client) => {
      const load = new Restoration(db, client, head);
      return load.run(entries, (done) => onProgress({ done, total }));
    });
    await migrateDatabase(url);
    return { head, ...restored };
  } catch (error) {
    if (head.hasMedia) for (const folder of MEDIA_FOLDERS) await mediaStorage.deleteFolder(folder);
    throw error;
  }
}

async function readHead(entries: AsyncGenerator<ArchiveEntry>): Promise<BackupHead> {
  const first = await entries.next().catch(() => null);
  if (!first?.value || first.value.name !== entryNames.head) {
    throw new BackupError("This file is no backup of this site.");
  }
  const head = await readAs(anyFormat, first.value);
  if (head.format > FORMAT) throw newer(`format ${head.format}`);
  const { success, data } = headSchema.safeParse(head);
  return success ? data : damaged();
}

function newer(what: string): BackupError {
  return new BackupError(
    `A newer version of the site made this backup (${what}): install that version first.`,
  );
}

async function requireEmptyTarget(url: string, head: BackupHead): Promise<void> {
  const migrations = await listMigrations(url);
  if (!migrations.some(({ name }) => name === head.migration)) throw newer(head.migration);
  const newest = migrations.findLast(({ isApplied }) => isApplied)?.name;
  if (newest !== undefined && newest !== head.migration) throw new BackupError(NOT_EMPTY);
  if (newest !== undefined && (await hasRows(url, head))) throw new BackupError(NOT_EMPTY);
  if (!head.hasMedia) return;
  for (const folder of MEDIA_FOLDERS) {
    const found = await mediaStorage.list(folder, { limit: 1 });
    if (found.length > 0) throw new BackupError(MEDIA_NOT_EMPTY);
  }
}

async function hasRows(url: string, { tables }: BackupHead): Promise<boolean> {
  const names = tables.map(({ name }) => name).filter((name) => !FILLED_BY_THE_SITE.includes(name));
  return withLongConnection(url, async (db) => {
    const checks = names.map((name) => sql`EXISTS (SELECT FROM ${tableNamed(name)})`);
    const { rows } = await db.execute<{ found: boolean }>(
      sql`SELECT ${sql.join(checks, sql` OR `)} AS found`,
    );
    return rows[0]?.found === true;
  });
}
