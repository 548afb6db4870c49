import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import type { OriginalProbe } from "#db/schema/catalog.ts";
import { type ServedFile, UUID } from "../media/served-file.server.ts";

/** An original as the studio shows it. */
export interface OriginalView {
  /** The last part of its address: the number of a photo, or 1 for a video. */
  number: number;
  fileName: string;
  bytes: number;
  probe: OriginalProbe;
}

export interface StoredOriginal {
  file: ServedFile;
  /** As it was imported; anything but safe in a header. */
  fileName: string;
  title: string;
  /** Null for a video. */
  photoNumber: number | null;
}

/** No browser shows what has this type, so that an original is saved under its own name and never opened. */
const CONTENT_TYPE = "application/octet-stream";
const NUMBER = /^[1-9]\d{0,8}$/;

/** The originals of an item: all of a video, or those of the photos from `first` to `last`. */
export async function listOriginals(
  mediaId: string,
  { first, last }: { first: number; last: number },
): Promise<OriginalView[]> {
  return db.execute<OriginalView & Record<string, unknown>>(sql`
    SELECT coalesce(photo_number, 1)::int AS number, file_name AS "fileName", bytes::float8 AS bytes, probe
    FROM media_originals WHERE media_id = ${mediaId} AND coalesce(photo_number, 1) BETWEEN ${first} AND ${last}
    ORDER BY photo_number`);
}

/** `number`: the last part of an address. Null when nothing is kept there. */
export async function findOriginal(mediaId: string, number: string): Promise<StoredOriginal | null> {
  if (!UUID.test(mediaId) || !NUMBER.test(number)) return null;
  const [row] = await db.execute<Omit<StoredOriginal, "file"> & Omit<ServedFile, "name" | "contentType">>(sql`
    SELECT o.storage_key AS "storageKey", o.bytes::float8 AS bytes, o.sha256 AS hash, o.file_name AS "fileName",
      o.photo_number::int AS "photoNumber", m.title
    FROM media_originals o JOIN media m ON m.id = o.media_id
    WHERE o.media_id = ${mediaId} AND coalesce(o.photo_number, 1) = ${Number(number)}`);
  if (row === undefined) return null;
  const { fileName, photoNumber, title, ...stored } = row;
  return { file: { ...stored, name: number, contentType: CONTENT_TYPE }, fileName, photoNumber, title };
}

/** Counts all originals, or those of one item. */
export async function readOriginalTotals(mediaId?: string): Promise<{ files: number; bytes: number }> {
  const [row] = await db.execute<{ files: number; bytes: number }>(sql`
    SELECT count(*)::float8 AS files, coalesce(sum(bytes), 0)::float8 AS bytes FROM media_originals
    ${mediaId === undefined ? sql`` : sql`WHERE media_id = ${mediaId}`}`);
  return row ?? { files: 0, bytes: 0 };
}
