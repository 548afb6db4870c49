import { sql } from "drizzle-orm";
import {
  everyStorage,
  hashOf,
  listedSizes,
  objectsBelow,
} from "#app/domain/media/storage/media-storage.server.ts";
import { MissingObjectError, type StoragePlace, type StoredAt } from "#app/domain/media/storage/storage.ts";
import { number, readOne } from "#db/rows.ts";
import type { BackupEnd, BackupFile } from "./archive-format.ts";
import { type BackupDatabase, openCursor } from "./long-connection.server.ts";
import { listTables, type Table } from "./tables.server.ts";

/** In a transaction: the files that rows name. They can be read after its end. */
export function openFiles(db: BackupDatabase, tables: readonly Table[]): Promise<AsyncGenerator<StoredFile>> {
  return openCursor<StoredFile>(
    db,
    "files",
    sql`SELECT DISTINCT ON (storage_key) storage_key AS "storageKey", storage, bytes::float8 AS bytes, sha256
      FROM (${namedFiles(tables)}) named ORDER BY storage_key`,
  );
}

/** In bytes, without avatars. */
export function sizeOfFiles(db: BackupDatabase, tables: readonly Table[]): Promise<number> {
  return readOne(db, number)`SELECT COALESCE(sum(bytes), 0)::float8 FROM (${namedFiles(tables)}) named`;
}

/** A database may wait for a migration, so only the tables that it has are read. */
function namedFiles(tables: readonly Table[]) {
  const ofFiles = tables.filter(
    ({ columns }) => columns.includes("storage_key") && columns.includes("sha256"),
  );
  const selects = ofFiles.map(
    ({ name, columns }) => sql`SELECT storage_key,
      ${columns.includes("storage") ? sql`storage` : sql`'folder'`} AS storage, bytes, sha256 FROM ${sql.identifier(name)}`,
  );
  return sql.join(selects, sql` UNION ALL `);
}

type StoredFile = BackupFile & { storage: StoragePlace };
type AddBytes = (file: StoredAt, bytes: number) => Promise<string>;

/**
 * The files that are stored as their rows say, then avatars, of which no row says anything. The others are counted in
 * `end`: an archive may hold their bytes, but no list names them.
 */
export async function* storedFiles(
  named: AsyncIterable<StoredFile>,
  end: BackupEnd,
  addBytes: AddBytes | null,
): AsyncGenerator<BackupFile> {
  const sizeOf = listedSizes();
  for await (const row of named) {
    const isWhole = (await sizeOf(row)) === row.bytes;
    const file = isWhole ? await readStored(row, addBytes, row.sha256) : null;
    if (file === null) {
      end.missingFiles += 1;
      continue;
    }
    end.files += 1;
    yield file;
  }
  const seen = new Set<string>();
  for (const storage of everyStorage) {
    for await (const { storageKey, bytes } of objectsBelow("avatars", storage)) {
      if (seen.has(storageKey)) continue;
      seen.add(storageKey);
      const file = await readStored({ storage: storage.place, storageKey, bytes }, addBytes);
      if (file === null) continue;
      end.files += 1;
      yield file;
    }
  }
}

/** Null when it is gone, or when its bytes are not those that a row knows. */
async function readStored(
  { bytes, ...stored }: StoredAt & { bytes: number },
  addBytes: AddBytes | null,
  known?: string,
): Promise<BackupFile | null> {
  const { storageKey } = stored;
  if (known !== undefined && !addBytes) return { storageKey, bytes, sha256: known };
  const read = addBytes ? addBytes(stored, bytes) : hashOf(stored);
  const sha256 = await read.catch(nullWhenGone);
  if (sha256 === null || (known !== undefined && sha256 !== known)) return null;
  return { storageKey, bytes, sha256 };
}

function nullWhenGone(error: unknown): null {
  if (error instanceof MissingObjectError) return null;
  throw error;
}

export async function namePlace(db: BackupDatabase, place: StoragePlace): Promise<void> {
  for (const { name, columns } of await listTables(db)) {
    if (columns.includes("storage_key") && columns.includes("storage") && columns.includes("sha256"))
      await db.execute(sql`UPDATE ${sql.identifier(name)} SET storage = ${place} WHERE storage <> ${place}`);
  }
}
