import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { flag, json, number, readOne, readRow, text } from "#db/rows.ts";
import type { OriginalProbe } from "#db/schema/catalog-files.ts";
import { PHOTOS_AT_ONCE } from "../edit/item/sections.ts";
import { ServedFile } from "../media/served-file.server.ts";
import { isTakenDown } from "../media/visibility.server.ts";

export const OriginalView = z.object({
  /** The photo's number, which stays when it moves, or 1 for a video. Ends the address. */
  number,
  position: number.nullable(),
  fileName: text,
  bytes: number,
  probe: json<OriginalProbe>(),
});
export type OriginalView = z.infer<typeof OriginalView>;

const OriginalRow = ServedFile.omit({ name: true, contentType: true }).extend({
  /** As it was imported; not safe in a header. */
  fileName: text,
  title: text,
  isTakenDown: flag,
  photoNumber: number.nullable(),
  position: number.nullable(),
});
export type StoredOriginal = Pick<z.infer<typeof OriginalRow>, "fileName" | "title" | "isTakenDown"> & {
  file: ServedFile;
  photo: { number: number; position: number | null } | null;
};

/** Browsers save this type and never open it. */
const CONTENT_TYPE = "application/octet-stream";
const NUMBER = /^[1-9]\d{0,8}$/;

/** The rows of OriginalView. `page`: from 1; photos that were left out come last. */
export function selectOriginals(mediaId: string, page: number): SQL {
  return sql`
    SELECT coalesce(o.photo_number, 1)::int AS number, p.position, o.file_name AS "fileName",
      o.bytes::float8 AS bytes, o.probe
    FROM media_originals o LEFT JOIN photos p ON p.media_id = o.media_id AND p.number = o.photo_number
    WHERE o.media_id = ${mediaId} ORDER BY p.position, o.photo_number
    LIMIT ${PHOTOS_AT_ONCE} OFFSET ${(page - 1) * PHOTOS_AT_ONCE}`;
}

export async function findOriginal(mediaId: string, number: string): Promise<StoredOriginal | null> {
  if (!UUID.test(mediaId) || !NUMBER.test(number)) return null;
  const row = await readRow(db, OriginalRow)`
    SELECT o.storage_key AS "storageKey", o.storage, o.bytes::float8 AS bytes, o.sha256 AS hash, o.file_name AS "fileName",
      o.photo_number::int AS "photoNumber", p.position, m.title, ${isTakenDown} AS "isTakenDown"
    FROM media_originals o JOIN media m ON m.id = o.media_id
    LEFT JOIN photos p ON p.media_id = o.media_id AND p.number = o.photo_number
    WHERE o.media_id = ${mediaId} AND coalesce(o.photo_number, 1) = ${Number(number)}`;
  if (row === null) return null;
  const { fileName, title, isTakenDown: isGone, photoNumber, position, ...stored } = row;
  const photo = photoNumber === null ? null : { number: photoNumber, position };
  const file = { ...stored, name: number, contentType: CONTENT_TYPE };
  return { file, fileName, title, isTakenDown: isGone, photo };
}

const OriginalTotals = z.object({ files: number, bytes: number });

export function readOriginalTotals(): Promise<z.infer<typeof OriginalTotals>> {
  return readOne(db, OriginalTotals)`${selectOriginalTotals()}`;
}

/** The row of OriginalTotals. */
export function selectOriginalTotals(mediaId?: string): SQL {
  return sql`SELECT count(*)::float8 AS files, coalesce(sum(bytes), 0)::float8 AS bytes FROM media_originals
    ${mediaId === undefined ? sql`` : sql`WHERE media_id = ${mediaId}`}`;
}
