import { type SQL, sql } from "drizzle-orm";
import { ACCESSES, type AccessViewer, accessTo } from "#app/domain/access/access.ts";
import { asFileName } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { largestFiles, type StoredPhoto, storedPhotoPage } from "../media/photos.server.ts";
import { UUID } from "../media/served-file.server.ts";
import { type ZipEntry, type ZipLayout, zipLayout } from "./zip-layout.ts";

export interface ArchivedFile {
  name: string;
  version: number;
  storageKey: string;
}

/** All photos of a set in one file, which is never stored. */
export interface SetArchive {
  mediaId: string;
  /** The name of the archive without its ending. */
  title: string;
  layout: ZipLayout;
  /** By the entries of the layout. */
  files: ArchivedFile[];
  /** Hex. Another one as soon as any byte of the archive would be another. */
  hash: string;
}

/** Raise it with every change of the names or of the layout, for downloads that go on after an upgrade. */
const FORMAT = 2;

/** The facts for the page of the set. */
interface ArchiveFacts {
  hash: string;
  /** The sum of all photos; the archive is a little longer. */
  bytes: number;
}

/** The archive is null for an item without photos, and for a viewer who may not download it. */
interface PhotosAndArchive {
  photos: StoredPhoto[];
  archive: ArchiveFacts | null;
}

/**
 * One page of the grid of a row `m` of media, and the facts of its archive, which took a round trip more when they were
 * read later. They grant nothing; the condition spares reading the files of a set that `viewer` may not download.
 */
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

/** Null for an item that is no set or has no photos. */
export async function findSetArchive(mediaId: string): Promise<SetArchive | null> {
  if (!UUID.test(mediaId)) return null;
  const rows = await db.execute<Row>(
    sql`${archived(sql`${mediaId}::uuid`)} SELECT * FROM files, facts ORDER BY position`,
  );
  const [first] = rows;
  if (first === undefined) return null;
  const entries: ZipEntry[] = [];
  const modifiedAt = new Date(first.createdAt);
  const folder = folderName(first.title);
  const digits = Math.max(2, String(rows.length).length);
  for (const { position, name, bytes, crc32 } of rows) {
    const ending = name.slice(name.lastIndexOf("."));
    const number = String(position).padStart(digits, "0");
    entries.push({ name: `${folder}/${number}${ending}`, bytes, crc32, modifiedAt });
  }
  return { mediaId, title: first.title, layout: zipLayout(entries), files: rows, hash: first.archiveHash };
}

/** The photos that the set shows, and what follows from all of them. */
function archived(mediaId: SQL): SQL {
  const columns = sql`f.name, f.version, f.storage_key AS "storageKey", f.bytes::float8 AS bytes,
    f.crc32::float8 AS crc32, f.sha256 AS hash`;
  return sql`WITH files AS (${largestFiles(mediaId, columns)}), facts AS (
    SELECT min(own.title) AS title, min(own.created_at)::text AS "createdAt", sum(files.bytes) AS total,
      encode(sha256(convert_to(concat_ws(E'\n', ${FORMAT}::int, min(own.title), extract(epoch FROM min(own.created_at)),
        string_agg(concat_ws(' ', files.position, files.name, files.hash), E'\n' ORDER BY files.position)), 'UTF8')), 'hex')
        AS "archiveHash"
    FROM media own, files WHERE own.id = ${mediaId})`;
}

interface Row extends ArchivedFile, Record<string, unknown> {
  position: number;
  title: string;
  createdAt: string;
  bytes: number;
  crc32: number;
  archiveHash: string;
}

function folderName(title: string): string {
  // Windows drops what ends with a point or a blank.
  const name = asFileName(title).replace(/[.\s]+$/u, "");
  return name.trim() || "Photos";
}
