import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AccessMedia } from "#app/domain/access/access.ts";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { flag, number, readRow, text, timestamp } from "#db/rows.ts";
import { mediaStatus, mediaType } from "#db/schema/catalog.ts";
import { coverVersion } from "./served-file.server.ts";
import { shortIdFromSlug } from "./short-id.ts";
import { AccessColumns, accessColumns } from "./visibility.server.ts";

export type MediaState = (typeof mediaStatus.enumValues)[number];

const StoredMedia = AccessColumns.extend({
  id: text,
  type: z.enum(mediaType.enumValues),
  /** Any other slug is an old address, which redirects here. */
  slug: text,
  title: text,
  description: text,
  producedOn: text.nullable(),
  /** A draft may have a date, too, but is not published by it. */
  publishAt: timestamp.nullable(),
  state: z.enum(mediaStatus.enumValues),
  durationSeconds: number.nullable(),
  photoCount: number.nullable(),
  width: number.nullable(),
  height: number.nullable(),
  color: text,
  coverVersion: number.nullable(),
  creators: z.array(z.object({ id: text, slug: text, name: text })),
  tags: z.array(z.object({ slug: text, name: text })),
});
export type MediaRecord = z.infer<typeof StoredMedia> & { own: OwnMedia };

export const OwnColumns = z.object({
  is_new: flag,
  /** Seconds, or the position of the last photo. */
  progress: number.nullable(),
  is_completed: flag,
  is_favorited: flag.nullable(),
});
const MediaRow = StoredMedia.extend({ ...OwnColumns.shape, part: z.unknown() });

export interface OwnMedia {
  progress: { progress: number; isCompleted: boolean } | null;
  isFavorited: boolean | null;
}

/** Finds items of any status: call accessTo() before showing one. `part`: another column of the row `m` of media. */
export async function findMedia<Part = null>(
  type: MediaType,
  slug: string,
  viewerId: string | null = null,
  part: SQL<Part> = sql<Part>`NULL`,
): Promise<(MediaRecord & { part: Part }) | null> {
  const shortId = shortIdFromSlug(slug);
  if (shortId === null) return null;
  const row = await readRow(db, MediaRow)`
    SELECT m.id, m.type, m.slug, m.title, m.description, m.produced_on::text AS "producedOn",
      m.publish_at AS "publishAt", m.status AS state, m.duration_seconds AS "durationSeconds", m.photo_count AS "photoCount",
      m.width, m.height, m.color, ${coverVersion} AS "coverVersion",
      ${accessColumns}, ${ownColumns(viewerId)}, ${part} AS part,
      COALESCE((
        SELECT jsonb_agg(jsonb_build_object('id', c.id, 'slug', c.slug, 'name', c.name)
          ORDER BY mc.position, c.name)
        FROM media_creators mc JOIN creators c ON c.id = mc.creator_id WHERE mc.media_id = m.id
      ), '[]') AS creators,
      COALESCE((
        SELECT jsonb_agg(jsonb_build_object('slug', t.slug, 'name', t.name) ORDER BY t.name)
        FROM media_tags mt JOIN tags t ON t.id = mt.tag_id WHERE mt.media_id = m.id
      ), '[]') AS tags
    FROM media m WHERE m.short_id = ${shortId} AND m.type = ${type}
  `;
  if (row === null) return null;
  const { progress, is_completed: isCompleted, is_favorited: isFavorited, ...media } = row;
  const own = { progress: progress === null ? null : { progress, isCompleted }, isFavorited };
  return { ...media, part: row.part as Part, own };
}

export function findMediaRule(mediaId: string): Promise<AccessMedia | null> {
  return readRow(db, AccessColumns)`SELECT ${accessColumns} FROM media m WHERE m.id = ${mediaId}`;
}

/** Seconds of a video, or photos of a set, for a row `m` of media. */
export const extent = sql`COALESCE(m.duration_seconds, m.photo_count, 0)`;

/** For a row `m` of media; false for a visitor without an account. */
export function isCompletedBy(viewerId: string | null): SQL {
  return sql`EXISTS (SELECT FROM views v WHERE v.user_id = ${viewerId}::uuid AND v.media_id = m.id
    AND v.completed_at IS NOT NULL)`;
}

export function previousVisit(viewerId: string): SQL {
  return sql`(SELECT previous_visit(last_seen_at, previous_visit_at) FROM users WHERE id = ${viewerId})`;
}

/** For a row `m` of media. A set may have lost photos since it was opened. */
export function ownColumns(viewerId: string | null): SQL {
  if (viewerId === null) {
    return sql`false AS is_new, NULL::float8 AS progress, false AS is_completed, NULL::boolean AS is_favorited`;
  }
  return sql`
    COALESCE(m.publish_at > ${previousVisit(viewerId)}, false) AND NOT ${isCompletedBy(viewerId)} AS is_new,
    (SELECT LEAST(v.progress, m.photo_count) FROM views v WHERE v.user_id = ${viewerId} AND v.media_id = m.id) AS progress,
    ${isCompletedBy(viewerId)} AS is_completed,
    EXISTS (SELECT FROM favorites f WHERE f.user_id = ${viewerId} AND f.media_id = m.id
      AND f.is_favorited) AS is_favorited`;
}
