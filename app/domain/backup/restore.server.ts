import { stat } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { findStored, hashOf, mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { type ArchiveEntry, readArchive, readAs } from "./archive.server.ts";
import {
  type BackupEnd,
  BackupError,
  type BackupHead,
  fileSchema,
  type OnProgress,
} from "./archive-format.ts";
import { BackupReader } from "./backup-reader.server.ts";
import { DatabaseTarget, withoutTriggers } from "./database-target.server.ts";
import { claimEmptyTables, deleteMedia, requireEmptyTarget } from "./empty-target.server.ts";
import { withLongConnection } from "./long-connection.server.ts";
import { readHead } from "./read-head.server.ts";
import { namePlace } from "./stored-files.server.ts";

export interface Restored {
  head: BackupHead;
  end: BackupEnd;
  /** Keys of files that the backup only lists, and that are not in the media folder as they were. */
  absent: string[];
}

/** All or nothing. Throws a BackupError when the backup or the target cannot be used. */
export async function restore(url: string, path: string, onProgress: OnProgress): Promise<Restored> {
  const total = (await stat(path)).size;
  const entries = readArchive(path);
  const head = await readHead(entries);
  await requireEmptyTarget(url, head);
  await migrateDatabase(url, head.migration);
  const { end, fileBytes } = await fillTables(url, head, entries, (done) => onProgress({ done, total }));
  await migrateFilled(url, head);
  const absent = head.hasMedia
    ? []
    : await findAbsentFiles(path, (done) => onProgress({ done, total: fileBytes }));
  return { head, end, absent };
}

async function fillTables(
  url: string,
  head: BackupHead,
  entries: AsyncGenerator<ArchiveEntry>,
  onDone: (bytes: number) => void,
) {
  return withLongConnection(url, async (db, client) => {
    await db.execute(sql`BEGIN`);
    await claimEmptyTables(db, head);
    const reader = new BackupReader(head, new DatabaseTarget(db, client));
    const fill = withoutTriggers(db, head, () => reader.run(entries, onDone));
    const restored = await fill.catch(async (error) => {
      if (head.hasMedia) await deleteMedia();
      throw error instanceof BackupError ? new BackupError(`${error.message} Nothing was restored.`) : error;
    });
    // A lost connection leaves open whether the rows are there, and the files belong to them.
    await db.execute(sql`COMMIT`);
    return restored;
  });
}

/** The rows are committed, so a failure must not look like one of the restore. */
async function migrateFilled(url: string, { hasMedia }: BackupHead): Promise<void> {
  try {
    await withLongConnection(url, (db) => db.execute(sql`ANALYZE`));
    await migrateDatabase(url);
    // The files are where this site stores new ones, and the rows say where the backup's site had them.
    if (hasMedia) await withLongConnection(url, (db) => namePlace(db, mediaStorage.place));
  } catch (error) {
    const [reason] = (error as Error).message.split("\n", 1);
    throw new BackupError(
      `Rows and files are restored, but not migrated to this version (${reason}): run npm run db:migrate, then npm run media:check -- --hashes.`,
    );
  }
}

async function findAbsentFiles(path: string, onDone: (bytes: number) => void): Promise<string[]> {
  const absent: string[] = [];
  let done = 0;
  for await (const entry of readArchive(path)) {
    if (!entry.name.startsWith("files/")) {
      entry.content.resume();
      continue;
    }
    for (const { storageKey, bytes, sha256 } of await readAs(z.array(fileSchema), entry)) {
      const stored = await findStored(storageKey);
      if (stored?.bytes !== bytes || (await hashOf(stored)) !== sha256) absent.push(storageKey);
      done += bytes;
      onDone(done);
    }
  }
  return absent;
}
