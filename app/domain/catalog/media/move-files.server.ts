import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { everyStorage, objectsBelow, storageOf } from "#app/domain/media/storage/media-storage.server.ts";
import {
  type MediaStorage,
  MissingObjectError,
  STORAGE_PLACES,
  type StoragePlace,
} from "#app/domain/media/storage/storage.ts";
import { db } from "#db/client.server.ts";
import { number, readOne, readRow, readRows, text } from "#db/rows.ts";

/** As long as anybody may want them back, or notice that the other copies are not read well. */
const COPIES_STAY_DAYS = 7;
const ROWS_AT_ONCE = 500;
const MOVED_AT_ONCE = 4;
const TABLES = ["media_files", "media_originals", "creator_files", "site_files"].map((name) =>
  sql.identifier(name),
);
const AVATARS = "avatars";

const Row = z.object({ storageKey: text, bytes: number, sha256: text });
type Row = z.infer<typeof Row>;

interface MoveOptions {
  signal: AbortSignal;
  onDone: (bytes: number) => void;
  onProblem: (problem: { storageKey: string; what: "missing" | "damaged" }) => void;
}

/** Without avatars, which have no rows. */
export function readMovable(to: StoragePlace): Promise<{ files: number; bytes: number }> {
  return readOne(db, z.object({ files: number, bytes: number }))`
    SELECT count(*)::float8 AS files, coalesce(sum(bytes), 0)::float8 AS bytes
    FROM (SELECT DISTINCT storage_key, bytes FROM (${rowsIn(other(to))}) f) named`;
}

/**
 * Copies each file to `to`, compares it with its row, and lets the row say so. The site reads one or the other meanwhile;
 * the copy that is left stays for a week. What is interrupted goes on with the next run. Returns the number of moved files.
 */
export async function moveFiles(to: StoragePlace, options: MoveOptions): Promise<number> {
  const [source, target] = [storageOf(other(to)), storageOf(to)];
  let moved = 0;
  const all = async (rows: readonly Row[], move: (row: Row) => Promise<boolean>) => {
    for (let from = 0; from < rows.length; from += MOVED_AT_ONCE) {
      options.signal.throwIfAborted();
      const next = rows.slice(from, from + MOVED_AT_ONCE);
      moved += (await Promise.all(next.map(move))).filter(Boolean).length;
    }
  };
  for (let after = ""; ; ) {
    const rows = await readRows(db, Row)`
      SELECT DISTINCT ON (storage_key) storage_key AS "storageKey", bytes::float8 AS bytes, sha256
      FROM (${rowsIn(source.place)}) f WHERE storage_key > ${after} ORDER BY storage_key LIMIT ${ROWS_AT_ONCE}`;
    await all(rows, (row) => moveFile(row, source, target, options));
    after = rows.at(-1)?.storageKey ?? "";
    if (rows.length < ROWS_AT_ONCE) break;
  }
  for await (const { storageKey } of objectsBelow(AVATARS, source)) {
    options.signal.throwIfAborted();
    if (await copyAvatar(storageKey, source, target)) moved += 1;
  }
  return moved;
}

async function moveFile(
  { storageKey, bytes, sha256 }: Row,
  source: MediaStorage,
  target: MediaStorage,
  { onDone, onProblem }: MoveOptions,
): Promise<boolean> {
  const stored = await source.open(storageKey).then(
    (content) => target.put(storageKey, content),
    (error) => {
      if (error instanceof MissingObjectError) return null;
      throw error;
    },
  );
  onDone(bytes);
  if (stored === null || stored.bytes !== bytes || stored.sha256 !== sha256) {
    if (stored !== null) await target.delete(storageKey);
    onProblem({ storageKey, what: stored === null ? "missing" : "damaged" });
    return false;
  }
  const isNamed = await db.transaction(async (tx) => {
    let rows = 0;
    for (const table of TABLES) {
      const changed = await tx.execute(sql`UPDATE ${table} SET storage = ${target.place}
        WHERE storage_key = ${storageKey} AND storage = ${source.place} RETURNING 1`);
      rows += changed.length;
    }
    if (rows > 0) await tx.execute(leftBehind(storageKey, source, target));
    return rows > 0;
  });
  // It was deleted or replaced meanwhile.
  if (!isNamed && !(await isNamedAt(storageKey, target.place))) await target.delete(storageKey);
  return isNamed;
}

async function copyAvatar(storageKey: string, source: MediaStorage, target: MediaStorage): Promise<boolean> {
  const [found, present] = [await source.head(storageKey), await target.head(storageKey)];
  if (found === null) return false;
  const isThere = found.bytes === present?.bytes;
  if (!isThere) await target.put(storageKey, await source.open(storageKey));
  // Also of one that is there: moved back within the week, it must not be deleted by the first move's list.
  await db.execute(leftBehind(storageKey, source, target));
  return !isThere;
}

/** The second statement keeps what is moved back within the week. */
function leftBehind(storageKey: string, source: MediaStorage, target: MediaStorage): SQL {
  return sql`WITH kept AS (
      DELETE FROM moved_files WHERE storage_key = ${storageKey} AND storage = ${target.place})
    INSERT INTO moved_files (storage_key, storage) VALUES (${storageKey}, ${source.place})
    ON CONFLICT (storage_key, storage) DO UPDATE SET moved_at = now()`;
}

const Copy = z.object({ storageKey: text, storage: z.enum(STORAGE_PLACES) });

/** Deletes the copies that moves have left, a week later. */
export async function deleteMovedFiles(): Promise<void> {
  const copies = await readRows(db, Copy)`
    SELECT storage_key AS "storageKey", storage FROM moved_files
    WHERE moved_at < now() - ${COPIES_STAY_DAYS} * interval '1 day' ORDER BY moved_at LIMIT 10000`;
  for (const { storageKey, storage } of copies) {
    const place = everyStorage.find((each) => each.place === storage);
    // The store is no longer among the settings.
    if (place === undefined) continue;
    // A restored row may name it again. Avatars have no row, so that only the other copy shows that this one is spare.
    const isSpare = storageKey.startsWith(`${AVATARS}/`)
      ? (await storageOf(other(storage)).head(storageKey)) !== null
      : !(await isNamedAt(storageKey, storage));
    if (isSpare) await place.delete(storageKey);
    await db.execute(sql`DELETE FROM moved_files WHERE storage_key = ${storageKey} AND storage = ${storage}`);
  }
}

async function isNamedAt(storageKey: string, place: StoragePlace): Promise<boolean> {
  const found = await readRow(db, text)`
    SELECT storage_key FROM (${rowsIn(place)}) f WHERE storage_key = ${storageKey} LIMIT 1`;
  return found !== null;
}

function rowsIn(place: StoragePlace): SQL {
  const selects = TABLES.map(
    (table) => sql`SELECT storage_key, bytes, sha256 FROM ${table} WHERE storage = ${place}`,
  );
  return sql.join(selects, sql` UNION ALL `);
}

function other(place: StoragePlace): StoragePlace {
  return place === "folder" ? "store" : "folder";
}
