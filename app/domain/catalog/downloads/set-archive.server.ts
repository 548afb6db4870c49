import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { ACCESSES, type AccessViewer, accessTo } from "#app/domain/access/access.ts";
import { STORAGE_PLACES, type StoredAt } from "#app/domain/media/storage/storage.ts";
import { asFileName, UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { number, readRows, text, timestamp } from "#db/rows.ts";
import { largestFiles, type StoredPhoto, storedPhotoPage } from "../media/photos.server.ts";
import { type ZipEntry, type ZipLayout, zipLayout } from "./zip-layout.ts";

export interface ArchivedFile extends StoredAt {
  name: string;
  version: number;
}

export interface SetArchive {
  mediaId: string;
  title: string;
  layout: ZipLayout;
  files: ArchivedFile[];
  hash: string;
}

/** Raise it with every change of names or layout, so that interrupted downloads begin again. */
const FORMAT = 3;

interface ArchiveFacts {
  hash: string;
  bytes: number;
}

interface PhotosAndArchive {
  photos: StoredPhoto[];
  archive: ArchiveFacts | null;
}

/** The archive's facts come with the photos to save a round trip. They grant nothing: the condition only avoids reading files in vain. */
export function photosAndArchive(
  page: number,
  viewer: AccessViewer,
  seenById: string | undefined,
): SQL<PhotosAndArchive> {
  const published = { allowDownload: true, isLive: true, isTakenDown: false };
  const open = ACCESSES.filter((access) => accessTo(viewer, { ...published, access }, "download").allowed);
  return sql`jsonb_build_object('photos', ${storedPhotoPage(page, seenById)},
    'archive', CASE WHEN m.allow_download AND m.access::text = ANY(${sql.param(`{${open.join()}}`)}::text[]) THEN (
      ${archived(sql`m.id`)} SELECT jsonb_build_object('hash', "archiveHash", 'bytes', total) FROM facts WHERE total IS NOT NULL
    ) END)`;
}

const Row = z.object({
  position: number,
  title: text,
  createdAt: timestamp,
  bytes: number,
  crc32: number,
  archiveHash: text,
  name: text,
  version: number,
  storageKey: text,
  storage: z.enum(STORAGE_PLACES),
});

export async function findSetArchive(mediaId: string): Promise<SetArchive | null> {
  if (!UUID.test(mediaId)) return null;
  const rows = await readRows(db, Row)`
    ${archived(sql`${mediaId}::uuid`)} SELECT * FROM files, facts ORDER BY position`;
  const [first] = rows;
  if (first === undefined) return null;
  const entries: ZipEntry[] = [];
  const folder = folderName(first.title);
  const digits = Math.max(2, String(rows.length).length);
  for (const { position, name, bytes, crc32 } of rows) {
    const ending = name.slice(name.lastIndexOf("."));
    const number = String(position).padStart(digits, "0");
    entries.push({ name: `${folder}/${number}${ending}`, bytes, crc32, modifiedAt: first.createdAt });
  }
  return { mediaId, title: first.title, layout: zipLayout(entries), files: rows, hash: first.archiveHash };
}

function archived(mediaId: SQL): SQL {
  const columns = sql`f.name, f.version, f.storage_key AS "storageKey", f.storage, f.bytes::float8 AS bytes,
    f.crc32::float8 AS crc32, f.sha256 AS hash`;
  return sql`WITH files AS (${largestFiles(mediaId, columns)}), facts AS (
    SELECT min(own.title) AS title, min(own.created_at) AS "createdAt", sum(files.bytes) AS total,
      encode(sha256(convert_to(concat_ws(E'\n', ${FORMAT}::int, min(own.title), extract(epoch FROM min(own.created_at)),
        string_agg(concat_ws(' ', files.position, files.name, files.hash), E'\n' ORDER BY files.position)), 'UTF8')), 'hex')
        AS "archiveHash"
    FROM media own, files WHERE own.id = ${mediaId})`;
}

function folderName(title: string): string {
  // Windows drops trailing dots and spaces.
  const name = asFileName(title).replace(/[.\s]+$/u, "");
  return name.trim() || "Photos";
}
