import { type SQL, sql } from "drizzle-orm";
import { asFileName } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { largestFiles } from "../media/photos.server.ts";
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

/** Null for an item without photos. */
export async function findArchiveFacts(mediaId: string): Promise<ArchiveFacts | null> {
  const [facts] = await db.execute<ArchiveFacts & Record<string, unknown>>(
    sql`${archived(mediaId)} SELECT "archiveHash" AS hash, total AS bytes FROM facts WHERE total IS NOT NULL`,
  );
  return facts ?? null;
}

/** Null for an item that is no set or has no photos. */
export async function findSetArchive(mediaId: string): Promise<SetArchive | null> {
  if (!UUID.test(mediaId)) return null;
  const rows = await db.execute<Row>(sql`${archived(mediaId)} SELECT * FROM files, facts ORDER BY position`);
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
function archived(mediaId: string): SQL {
  const columns = sql`f.name, f.version, f.storage_key AS "storageKey", f.bytes::float8 AS bytes,
    f.crc32::float8 AS crc32, f.sha256 AS hash`;
  return sql`WITH files AS (${largestFiles(mediaId, columns)}), facts AS (
    SELECT min(m.title) AS title, min(m.created_at)::text AS "createdAt", sum(files.bytes) AS total,
      encode(sha256(convert_to(concat_ws(E'\n', ${FORMAT}::int, min(m.title), extract(epoch FROM min(m.created_at)),
        string_agg(concat_ws(' ', files.position, files.name, files.hash), E'\n' ORDER BY files.position)), 'UTF8')), 'hex')
        AS "archiveHash"
    FROM media m, files WHERE m.id = ${mediaId})`;
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
