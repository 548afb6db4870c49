import { eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { listQueued } from "#app/domain/jobs/queue.server.ts";
import {
  everyStorage,
  hashOf,
  listedSizes,
  objectsBelow,
} from "#app/domain/media/storage/media-storage.server.ts";
import { type MediaStorage, STORAGE_PLACES, type StoredAt } from "#app/domain/media/storage/storage.ts";
import { ORIGINALS_FOLDER } from "#app/domain/media/store-file.server.ts";
import { listSiteFiles, SITE_FOLDER } from "#app/domain/site/site-files.server.ts";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { number, readRows, text } from "#db/rows.ts";
import { creatorFiles, mediaFiles, mediaOriginals } from "#db/schema/catalog-files.ts";
import { keysOfSteps } from "./encoding-work.server.ts";

/** `unknown`: no row and no job names the file, as an interrupted import or deletion may leave it. */
export interface FileProblem {
  storageKey: string;
  what: "missing" | "of the wrong size" | "damaged" | "unknown";
}

interface CheckOptions {
  /** Reads every file to compare its hash. */
  isReadingBytes: boolean;
  onProblem: (problem: FileProblem) => void;
}

const FileRow = z.object({
  owner: text,
  name: text,
  storageKey: text,
  storage: z.enum(STORAGE_PLACES),
  bytes: number,
  sha256: text,
});
type FileRow = z.infer<typeof FileRow>;
type StoredRow = Pick<FileRow, keyof StoredAt | "bytes" | "sha256">;

const KINDS = [
  { folder: "media", table: mediaFiles, owner: mediaFiles.mediaId, name: mediaFiles.name },
  {
    folder: ORIGINALS_FOLDER,
    table: mediaOriginals,
    owner: mediaOriginals.mediaId,
    name: mediaOriginals.storageKey,
  },
  { folder: "creators", table: creatorFiles, owner: creatorFiles.creatorId, name: creatorFiles.name },
];
const ROWS_AT_ONCE = 1_000;

export async function checkFiles({ isReadingBytes, onProblem }: CheckOptions): Promise<number> {
  let checked = 0;
  const sizeOf = listedSizes();
  const check = async (row: StoredRow) => {
    checked += 1;
    const what = await problemOf(row, await sizeOf(row), isReadingBytes);
    if (what) onProblem({ storageKey: row.storageKey, what });
  };
  for (const kind of KINDS) {
    for await (const row of rowsOf(kind)) await check(row);
    for (const storage of everyStorage) {
      for await (const { name } of storage.entries(kind.folder)) {
        for (const storageKey of await unknownKeys(kind, name, storage))
          onProblem({ storageKey, what: "unknown" });
      }
    }
  }
  const ofSite = await listSiteFiles();
  for (const row of ofSite) await check(row);
  for (const storage of everyStorage) {
    const known = new Set(keysIn(ofSite, storage));
    for await (const { storageKey } of objectsBelow(SITE_FOLDER, storage)) {
      if (!known.has(storageKey) && !(await isLeftByMove(storageKey, storage)))
        onProblem({ storageKey, what: "unknown" });
    }
  }
  return checked;
}

async function* rowsOf({ table, owner, name }: (typeof KINDS)[number]): AsyncGenerator<FileRow> {
  let from: SQL = sql`true`;
  for (;;) {
    const rows = await readRows(db, FileRow)`
      SELECT ${owner} AS owner, ${name} AS name, storage_key AS "storageKey", storage, bytes::float8 AS bytes, sha256
      FROM ${table} WHERE ${from} ORDER BY 1, 2, 3 LIMIT ${ROWS_AT_ONCE}`;
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    from = sql`(${owner}, ${name}, storage_key) > (${last.owner}::uuid, ${last.name}, ${last.storageKey})`;
  }
}

async function problemOf(
  { storage, storageKey, bytes, sha256 }: StoredRow,
  storedBytes: number | null,
  isReadingBytes: boolean,
) {
  if (storedBytes === null) return "missing";
  if (storedBytes !== bytes) return "of the wrong size";
  if (!isReadingBytes) return null;
  return (await hashOf({ storage, storageKey })) === sha256 ? null : "damaged";
}

async function unknownKeys(
  { folder, table, owner }: (typeof KINDS)[number],
  name: string,
  storage: MediaStorage,
) {
  const stored: string[] = [];
  for await (const { storageKey } of objectsBelow(`${folder}/${name}`, storage)) stored.push(storageKey);
  if (!UUID.test(name)) return stored;
  const owned = await db
    .select({ storageKey: table.storageKey, storage: table.storage })
    .from(table)
    .where(eq(owner, name));
  const known = new Set([...keysIn(owned, storage), ...(await keysInTheMaking(name))]);
  const unknown: string[] = [];
  for (const key of stored) if (!known.has(key) && !(await isLeftByMove(key, storage))) unknown.push(key);
  if (unknown.length === 0) return [];
  const going = await listQueued("delete-retired-files", { mediaId: name });
  const goingKeys = new Set(going.flatMap(({ storageKeys }) => storageKeys));
  return unknown.filter((key) => !goingKeys.has(key));
}

function keysIn(rows: readonly StoredAt[], { place }: MediaStorage): string[] {
  return rows.flatMap(({ storage, storageKey }) => (storage === place ? [storageKey] : []));
}

async function isLeftByMove(storageKey: string, { place }: MediaStorage): Promise<boolean> {
  const left = await db.execute(
    sql`SELECT FROM moved_files WHERE storage_key = ${storageKey} AND storage = ${place}`,
  );
  return left.length > 0;
}

function keysInTheMaking(mediaId: string): Promise<string[]> {
  return readRows(db, text)`${keysOfSteps(mediaId)}`;
}
