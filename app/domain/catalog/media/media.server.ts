import { sql } from "drizzle-orm";
import type { Access, AccessMedia } from "#app/domain/access/access.ts";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import type { mediaStatus } from "#db/schema/catalog.ts";
import { shortIdFromSlug } from "./slug.ts";
import { accessColumns } from "./visibility.server.ts";

export type MediaStatus = (typeof mediaStatus.enumValues)[number];

export interface MediaRecord {
  id: string;
  type: MediaType;
  /** The current slug; any other one is an old address and redirects here. */
  slug: string;
  title: string;
  description: string;
  /** ISO 8601 date. */
  producedOn: string | null;
  publishAt: Date;
  status: MediaStatus;
  access: Access;
  allowDownload: boolean;
  shootId: string | null;
  durationSeconds: number | null;
  photoCount: number | null;
  width: number | null;
  height: number | null;
  color: string;
  isLive: boolean;
  isWithdrawn: boolean;
  creators: { id: string; slug: string; name: string }[];
  tags: { slug: string; name: string }[];
}

/** Ignores the status: call accessTo() before showing any of it. Null when it does not exist. */
export async function findMedia(type: MediaType, slug: string): Promise<MediaRecord | null> {
  const shortId = shortIdFromSlug(slug);
  if (shortId === null) return null;
  const [row] = await db.execute<Omit<MediaRecord, "publishAt"> & { publishAt: string }>(sql`
    SELECT m.id, m.type, m.slug, m.title, m.description, m.produced_on::text AS "producedOn",
      m.publish_at AS "publishAt", m.status, m.shoot_id AS "shootId", m.duration_seconds AS "durationSeconds", m.photo_count AS "photoCount",
      m.width, m.height, m.color, ${accessColumns},
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
  `);
  return row ? { ...row, publishAt: new Date(row.publishAt) } : null;
}

export async function findMediaRule(mediaId: string): Promise<AccessMedia | null> {
  const [rule] = await db.execute<AccessMedia & Record<string, unknown>>(sql`
    SELECT ${accessColumns} FROM media m WHERE m.id = ${mediaId}
  `);
  return rule ?? null;
}
