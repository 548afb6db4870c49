import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { extname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { ImportRefusal } from "#app/domain/media/import/refusal.ts";
import { readChecksums } from "#app/domain/media/storage/checksums.server.ts";
import { storageOf } from "#app/domain/media/storage/media-storage.server.ts";
import { MissingObjectError, STORAGE_PLACES, type StoredAt } from "#app/domain/media/storage/storage.ts";
import { type MediaFileRow, storeMediaFile } from "#app/domain/media/store-file.server.ts";
import { db } from "#db/client.server.ts";
import { number, readRow, readRows, text } from "#db/rows.ts";
import { mediaRight } from "#db/schema/catalog-files.ts";
import { isLatest } from "../media/visibility.server.ts";
import { findOriginal } from "./originals.server.ts";

export const NO_SOURCE = "it has no stored file from which the others could be made";

interface RemakeSource {
  /** A copy, which the caller deletes with its folder. */
  path: string;
  isOriginal: boolean;
  size: number | null;
}

const place = z.enum(STORAGE_PLACES);
const LargestRow = z.object({
  storageKey: text,
  storage: place,
  hash: text,
  name: text,
  size: number.nullable(),
});
type StoredSource = z.infer<typeof LargestRow> & { isOriginal: boolean };

interface Wanted {
  mediaId: string;
  photo: number | null;
  group: string;
}

export async function findSource(wanted: Wanted): Promise<StoredSource> {
  const original = await findOriginal(wanted.mediaId, String(wanted.photo ?? 1));
  if (original === null) return findLargest(wanted);
  return { ...original.file, name: original.fileName, isOriginal: true, size: null };
}

export async function copySource(wanted: Wanted, folder: string, signal: AbortSignal): Promise<RemakeSource> {
  return copyFound(await findSource(wanted), folder, signal);
}

export async function copyLargest(
  wanted: Wanted,
  folder: string,
  signal: AbortSignal,
): Promise<RemakeSource> {
  return copyFound(await findLargest(wanted), folder, signal);
}

/** In `folder`, where the storage has no files. */
export async function readablePath({ storage, storageKey }: StoredAt, folder: string): Promise<string> {
  const path = await storageOf(storage).fileOf(storageKey, folder);
  if (path === null) throw lost(storageKey, "missing");
  return path;
}

export async function assertWhole(
  { storageKey, hash }: { storageKey: string; hash: string },
  path: string,
): Promise<void> {
  if ((await readChecksums(createReadStream(path))).sha256 !== hash) throw lost(storageKey, "damaged");
}

export async function assertStored({ storage, storageKey }: StoredAt): Promise<void> {
  if ((await storageOf(storage).head(storageKey)) === null) throw lost(storageKey, "missing");
}

async function findLargest({ mediaId, group }: Wanted): Promise<StoredSource> {
  const found = await readRow(db, LargestRow)`
    SELECT storage_key AS "storageKey", storage, sha256 AS hash, name,
      CASE WHEN content_type LIKE 'video/%' THEN LEAST(width, height) ELSE width END AS size
    FROM media_files f WHERE ${isOfGroup(mediaId, group)}
    ORDER BY size DESC NULLS LAST, bytes DESC LIMIT 1`;
  if (found === null) throw new ImportRefusal(mediaId, NO_SOURCE);
  return { ...found, isOriginal: false };
}

async function copyFound(
  { isOriginal, name, hash, size, ...stored }: StoredSource,
  folder: string,
  signal: AbortSignal,
): Promise<RemakeSource> {
  const extension = /^\.\w{1,5}$/.exec(extname(name))?.[0] ?? "";
  const path = join(folder, `${isOriginal ? "original" : "largest"}${extension}`);
  await copyWhole({ ...stored, hash }, path, signal);
  return { path, isOriginal, size };
}

const StoredPhotoFile = z.object({
  name: text,
  storageKey: text,
  storage: place,
  sha256: text,
  contentType: text,
  needs: z.enum(mediaRight.enumValues),
  width: number,
  height: number,
});

/** All files of a photo have one version. */
export async function storeLargestAgain(
  { mediaId, group }: Wanted,
  { width, version }: { width: number | null; version: number },
): Promise<MediaFileRow[]> {
  const rows = await readRows(db, StoredPhotoFile)`
    SELECT name, storage_key AS "storageKey", storage, sha256, content_type AS "contentType", needs, width, height
    FROM media_files f WHERE ${isOfGroup(mediaId, group)} AND width = ${width}`;
  const files: MediaFileRow[] = [];
  for (const { storageKey, storage, sha256, ...facts } of rows) {
    const file = await storeMediaFile(await openStored({ storageKey, storage }), {
      ...facts,
      mediaId,
      version,
    });
    if (file.sha256 !== sha256) throw lost(storageKey, "damaged");
    files.push(file);
  }
  return files;
}

function isOfGroup(mediaId: string, group: string): SQL {
  return sql`f.media_id = ${mediaId} AND starts_with(f.name, ${`${group}-`}) AND ${isLatest}`;
}

/** ffmpeg and sharp read files, and the storage may be elsewhere. */
async function copyWhole(
  { hash, ...stored }: StoredAt & { hash: string },
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const source = await openStored(stored);
  const read = createHash("sha256");
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      read.update(chunk);
      yield chunk;
    }
  };
  await pipeline(source, counted, createWriteStream(path), { signal });
  if (read.digest("hex") !== hash) throw lost(stored.storageKey, "damaged");
}

async function openStored({ storage, storageKey }: StoredAt): Promise<Readable> {
  try {
    return await storageOf(storage).open(storageKey);
  } catch (error) {
    throw error instanceof MissingObjectError ? lost(storageKey, "missing") : error;
  }
}

function lost(storageKey: string, what: string): ImportRefusal {
  return new ImportRefusal(storageKey, `${storageKey} is ${what}: restore it from a backup, then try again`);
}
