import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import type { OriginalProbe } from "#db/schema/catalog-files.ts";
import { type ServedFile, UUID } from "../media/served-file.server.ts";
import { isTakenDown } from "../media/visibility.server.ts";

export interface OriginalView {
  /** The photo's number, which stays when it moves, or 1 for a video. Ends the address. */
  number: number;
  position: number | null;
  fileName: string;
  bytes: number;
  probe: OriginalProbe;
}

export interface StoredOriginal {
  file: ServedFile;
  /** As it was imported; not safe in a header. */
  fileName: string;
  title: string;
  isTakenDown: boolean;
  photo: { number: number; position: number | null } | null;
}

/** Browsers save this type and never open it. */
const CONTENT_TYPE = "application/octet-stream";
const NUMBER = /^[1-9]\d{0,8}$/;

interface Shown {
  first: number;
  last: number;
  withLeftOut: boolean;
}

export async function listOriginals(
  mediaId: string,
  { first, last, withLeftOut }: Shown,
): Promise<OriginalView[]> {
  return db.execute<OriginalView & Record<string, unknown>>(sql`
    SELECT coalesce(o.photo_number, 1)::int AS number, p.position, o.file_name AS "fileName",
      o.bytes::float8 AS bytes, o.probe
    FROM media_originals o LEFT JOIN photos p ON p.media_id = o.media_id AND p.number = o.photo_number
    WHERE o.media_id = ${mediaId} AND (o.photo_number IS NULL OR p.position BETWEEN ${first} AND ${last}
      OR (p.position IS NULL AND ${withLeftOut}))
    ORDER BY p.position NULLS LAST, o.photo_number`);
}

export async function findOriginal(mediaId: string, number: string): Promise<StoredOriginal | null> {
  if (!UUID.test(mediaId) || !NUMBER.test(number)) return null;
  type Row = Pick<StoredOriginal, "fileName" | "title" | "isTakenDown"> &
    Omit<ServedFile, "name" | "contentType">;
  const [row] = await db.execute<Row & { photoNumber: number | null; position: number | null }>(sql`
    SELECT o.storage_key AS "storageKey", o.bytes::float8 AS bytes, o.sha256 AS hash, o.file_name AS "fileName",
      o.photo_number::int AS "photoNumber", p.position, m.title, ${isTakenDown} AS "isTakenDown"
    FROM media_originals o JOIN media m ON m.id = o.media_id
    LEFT JOIN photos p ON p.media_id = o.media_id AND p.number = o.photo_number
    WHERE o.media_id = ${mediaId} AND coalesce(o.photo_number, 1) = ${Number(number)}`);
  if (row === undefined) return null;
  const { fileName, photoNumber, position, title, isTakenDown: isGone, ...stored } = row;
  const photo = photoNumber === null ? null : { number: photoNumber, position };
  return {
    file: { ...stored, name: number, contentType: CONTENT_TYPE },
    fileName,
    photo,
    title,
    isTakenDown: isGone,
  };
}

export async function readOriginalTotals(mediaId?: string): Promise<{ files: number; bytes: number }> {
  const [row] = await db.execute<{ files: number; bytes: number }>(sql`
    SELECT count(*)::float8 AS files, coalesce(sum(bytes), 0)::float8 AS bytes FROM media_originals
    ${mediaId === undefined ? sql`` : sql`WHERE media_id = ${mediaId}`}`);
  return row ?? { files: 0, bytes: 0 };
}
