import { sql } from "drizzle-orm";
import { hashOf, keysBelow, mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { MissingObjectError } from "#app/domain/media/storage/storage.ts";
import { number, readOne } from "#db/rows.ts";
import type { BackupEnd, BackupFile } from "./archive-format.ts";
import { type BackupDatabase, openCursor } from "./long-connection.server.ts";
import type { Table } from "./tables.server.ts";

/** In a transaction: the files that rows name. They can be read after its end. */
export function openFiles(db: BackupDatabase, tables: readonly Table[]): Promise<AsyncGenerator<BackupFile>> {
  return openCursor<BackupFile>(
    db,
    "files",
    sql`SELECT DISTINCT ON (storage_key) storage_key AS "storageKey", bytes::float8 AS bytes, sha256
      FROM (${namedFiles(tables)}) named ORDER BY storage_key`,
  );
}

/** In bytes, without avatars. */
export function sizeOfFiles(db: BackupDatabase, tables: readonly Table[]): Promise<number> {
  return readOne(db, number)`SELECT COALESCE(sum(bytes), 0)::float8 FROM (${namedFiles(tables)}) named`;
}

/** A database may wait for a migration, so only the tables that it has are read. */
function namedFiles(tables: readonly Table[]) {
  const ofFiles = tables.filter(({ columns }) => columns.includes("storage_key"));
  const selects = ofFiles.map(
    ({ name }) => sql`SELECT storage_key, bytes, sha256 FROM ${sql.identifier(name)}`,
  );
  return sql.join(selects, sql` UNION ALL `);
}

type AddBytes = (storageKey: string, bytes: number) => Promise<string>;

/**
 * The files that are stored as their rows say, then avatars, of which no row says anything. The others are counted in
 * `end`: an archive may hold their bytes, but no list names them.
 */
export async function* storedFiles(
  named: AsyncIterable<BackupFile>,
  end: BackupEnd,
  addBytes: AddBytes | null,
): AsyncGenerator<BackupFile> {
  for await (const row of named) {
    const file = await findStored(row.storageKey, addBytes, row);
    if (file === null) {
      end.missingFiles += 1;
      continue;
    }
    end.files += 1;
    yield file;
  }
  for await (const storageKey of keysBelow("avatars")) {
    const file = await findStored(storageKey, addBytes);
    if (file === null) continue;
    end.files += 1;
    yield file;
  }
}

async function findStored(
  storageKey: string,
  addBytes: AddBytes | null,
  row?: BackupFile,
): Promise<BackupFile | null> {
  const found = await mediaStorage.head(storageKey);
  if (found === null || (row && row.bytes !== found.bytes)) return null;
  if (row && !addBytes) return row;
  const { bytes } = found;
  const read = addBytes ? addBytes(storageKey, bytes) : hashOf(storageKey);
  const sha256 = await read.catch(nullWhenGone);
  if (sha256 === null || (row && row.sha256 !== sha256)) return null;
  return { storageKey, bytes, sha256 };
}

function nullWhenGone(error: unknown): null {
  if (error instanceof MissingObjectError) return null;
  throw error;
}
