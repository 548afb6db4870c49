import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { asFileName } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { UUID } from "../media/served-file.server.ts";
import { isLatest } from "../media/visibility.server.ts";
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
  /** Null while a checksum of its files is missing. */
  layout: ZipLayout | null;
  /** By the entries of the layout. */
  files: ArchivedFile[];
  /** Hex. Another one as soon as any byte of the archive would be another. */
  hash: string;
}

const MAX_FOLDER_SIGNS = 100;

/**
 * The photos that the set shows, each as its JPEG, or as its largest WebP from before there were any. Null for an item that
 * is no set or has no photos.
 */
export async function findSetArchive(mediaId: string): Promise<SetArchive | null> {
  if (!UUID.test(mediaId)) return null;
  const rows = await db.execute<Row>(sql`
    SELECT DISTINCT ON (p.position) p.position, m.title, m.created_at::text AS "createdAt", f.name, f.version,
      f.storage_key AS "storageKey", f.bytes::float8 AS bytes, f.crc32::float8 AS crc32, f.sha256 AS hash
    FROM media_files f
    JOIN photos p ON p.media_id = f.media_id AND p.number = substring(f.name FROM '^photo-([0-9]{1,6})-')::int
    JOIN media m ON m.id = f.media_id
    WHERE f.media_id = ${mediaId} AND ${isLatest} AND f.name LIKE 'photo-%' AND p.position IS NOT NULL
    ORDER BY p.position, f.name LIKE '%.jpg' DESC, f.width DESC, f.name LIKE '%.webp' DESC`);
  const [first] = rows;
  if (first === undefined) return null;
  const entries: ZipEntry[] = [];
  const modifiedAt = new Date(first.createdAt);
  const folder = folderName(first.title);
  const digits = Math.max(2, String(rows.length).length);
  for (const { position, name, bytes, crc32 } of rows) {
    const ending = name.slice(name.lastIndexOf("."));
    const number = String(position).padStart(digits, "0");
    entries.push({ name: `${folder}/${number}${ending}`, bytes, crc32: crc32 ?? 0, modifiedAt });
  }
  const layout = rows.some(({ crc32 }) => crc32 === null) ? null : zipLayout(entries);
  const hash = createHash("sha256")
    .update(JSON.stringify([entries, rows.map((row) => row.hash)]))
    .digest("hex");
  return { mediaId, title: first.title, layout, files: rows, hash };
}

interface Row extends ArchivedFile, Record<string, unknown> {
  position: number;
  title: string;
  createdAt: string;
  bytes: number;
  crc32: number | null;
  hash: string;
}

function folderName(title: string): string {
  // Windows drops what ends with a point or a blank.
  const name = [...asFileName(title)]
    .slice(0, MAX_FOLDER_SIGNS)
    .join("")
    .replace(/[.\s]+$/u, "");
  return name.trim() || "Photos";
}
