import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AccessMedia, Right } from "#app/domain/access/access.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { findStored } from "#app/domain/media/storage/media-storage.server.ts";
import { STORAGE_PLACES } from "#app/domain/media/storage/storage.ts";
import { avatarFolder } from "#app/domain/media/store-file.server.ts";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { fixedSql } from "#db/fixed-sql.ts";
import { flag, number, readRow, text } from "#db/rows.ts";
import { mediaRight } from "#db/schema/catalog-files.ts";
import { AccessColumns, accessColumns, hasPublished, isLatest } from "./visibility.server.ts";

/** Open pages still name replaced files. */
export const RETIRED_HOURS = 24;

export const ServedFile = z.object({
  name: text,
  storageKey: text,
  storage: z.enum(STORAGE_PLACES),
  contentType: text,
  bytes: number,
  /** Hex, for the ETag. It and `name` are safe in a header. */
  hash: text,
});
export type ServedFile = z.infer<typeof ServedFile>;
const MediaFileRow = ServedFile.extend({ ...AccessColumns.shape, needs: z.enum(mediaRight.enumValues) });
const CreatorFileRow = ServedFile.extend({ isPublic: flag });

/** PostgreSQL refuses NUL in text. */
const FILE_NAME = /^[\w.-]{1,80}$/;
const AVATAR_NAME = /^([0-9a-f]{32})\.webp$/;

/** A double holds the sizes exactly. */
const fileColumns = sql`f.name, f.storage_key AS "storageKey", f.storage, f.content_type AS "contentType",
  f.bytes::float8 AS bytes, f.sha256 AS hash`;

/** One file is enough: all files of a portrait have one version. */
export function portraitKey(creator: SQL): SQL {
  return sql`(SELECT f.storage_key FROM creator_files f WHERE f.creator_id = ${creator}.id LIMIT 1)`;
}

/** A literal, because PostgreSQL cannot match a parameter with the condition of the index media_files_covers. */
const smallestCover = sql`'cover-480.avif'`;

/** For a row `m` of media. */
export const hasCover = sql`EXISTS (SELECT FROM media_files f
  WHERE f.media_id = m.id AND f.name = ${smallestCover} AND ${isLatest})`;

/** The version of the cover and its blur of a row `m` of media; null without a cover. */
export const coverVersion = fixedSql<number | null>(sql`(SELECT f.version FROM media_files f
  WHERE f.media_id = m.id AND f.name = ${smallestCover} AND ${isLatest})`);

export const previewVersions = fixedSql<Record<string, number> | null>(sql`CASE WHEN m.type = 'video' THEN (
  SELECT jsonb_object_agg(f.name, f.version) FROM media_files f
  WHERE f.media_id = m.id AND f.name IN (${fileNames.hover()}, ${fileNames.trailerHover()}) AND ${isLatest}) END`);

export const isServed = sql`(${isLatest} OR f.retired_at > now() - ${RETIRED_HOURS} * interval '1 hour')`;

/** A `retired_at` that ends an address at once. */
export const longRetired = sql`now() - ${RETIRED_HOURS + 1} * interval '1 hour'`;

export interface MediaFile {
  mediaId: string;
  file: ServedFile;
  needs: Right;
  media: AccessMedia;
}

export interface CreatorFile {
  file: ServedFile;
  isPublic: boolean;
}

export async function findMediaFile(
  mediaId: string,
  name: string,
  version: number,
): Promise<MediaFile | null> {
  if (!UUID.test(mediaId) || !FILE_NAME.test(name)) return null;
  const row = await readRow(db, MediaFileRow)`
    SELECT ${fileColumns}, f.needs, ${accessColumns}
    FROM media_files f JOIN media m ON m.id = f.media_id
    WHERE f.media_id = ${mediaId} AND f.version = ${version} AND f.name = ${name} AND ${isServed}`;
  if (row === null) return null;
  const { needs, access, allowDownload, isLive, isTakenDown, ...file } = row;
  return { mediaId, file, needs, media: { access, allowDownload, isLive, isTakenDown } };
}

export async function findCreatorFile(creatorId: string, name: string): Promise<CreatorFile | null> {
  if (!UUID.test(creatorId) || !FILE_NAME.test(name)) return null;
  const row = await readRow(db, CreatorFileRow)`
    SELECT ${fileColumns}, ${hasPublished} AS "isPublic"
    FROM creator_files f JOIN creators c ON c.id = f.creator_id
    WHERE f.creator_id = ${creatorId} AND f.name = ${name}`;
  if (row === null) return null;
  const { isPublic, ...file } = row;
  return { file, isPublic };
}

/** Avatars have no row: their name is a hash of the bytes. */
export async function findAvatarFile(userId: string, name: string): Promise<ServedFile | null> {
  const version = AVATAR_NAME.exec(name)?.[1];
  if (!version || !UUID.test(userId)) return null;
  const storageKey = `${avatarFolder(userId)}/${name}`;
  const stored = await findStored(storageKey);
  return stored && { ...stored, name, contentType: "image/webp", hash: version };
}
