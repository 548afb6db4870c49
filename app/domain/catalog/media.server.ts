import { sql } from "drizzle-orm";
import type { Access } from "#app/domain/billing/access.ts";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import type { mediaStatus } from "#db/schema/catalog.ts";
import { shortIdFromSlug } from "./slug.ts";
import { isLive } from "./visibility.server.ts";

export type MediaStatus = (typeof mediaStatus.enumValues)[number];

export interface MediaRecord {
  id: string;
  type: MediaType;
  /** The present one; another one that was asked for is an old address and redirects here. */
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
  /** "#rrggbb" */
  color: string;
  /** Published and inside its dates, by the database's clock. */
  isLive: boolean;
  isWithdrawn: boolean;
  creators: { id: string; slug: string; name: string }[];
  tags: { slug: string; name: string }[];
}

/** Whatever its status: ask accessTo() before showing any of it. Null when no such media exists. */
export async function findMedia(type: MediaType, slug: string): Promise<MediaRecord | null> {
  const shortId = shortIdFromSlug(slug);
  if (shortId === null) return null;
  const [row] = await db.execute<Omit<MediaRecord, "publishAt"> & { publishAt: string }>(sql`
    SELECT m.id, m.type, m.slug, m.title, m.description, m.produced_on::text AS "producedOn",
      m.publish_at AS "publishAt", m.status, m.access, m.allow_download AS "allowDownload",
      m.shoot_id AS "shootId", m.duration_seconds AS "durationSeconds", m.photo_count AS "photoCount",
      m.width, m.height, m.color, ${isLive} AS "isLive", m.status = 'withdrawn' AS "isWithdrawn",
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
