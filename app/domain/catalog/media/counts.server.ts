import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { MediaType, NameKind } from "#app/paths.ts";
import { db, type Executor, uuids } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { catalogTotals } from "#db/schema/catalog-lists.ts";
import { hasPublished, isLive } from "./visibility.server.ts";

/** How many live items a row `n` of creators or tags has, as last counted. */
export const USES: Record<NameKind, Record<MediaType, SQL>> = {
  creator: { video: sql`n.video_count`, photoSet: sql`n.photo_set_count` },
  tag: { video: sql`n.video_uses`, photoSet: sql`n.photo_set_uses` },
};

export interface CatalogTotals {
  videos: number;
  videoSeconds: number;
  photoSets: number;
  photos: number;
  creators: number;
}

const NOTHING: CatalogTotals = { videos: 0, videoSeconds: 0, photoSets: 0, photos: 0, creators: 0 };

export async function findTotals(): Promise<CatalogTotals> {
  const { id: _, ...totals } = getTableColumns(catalogTotals);
  const [row] = await db.select(totals).from(catalogTotals);
  return row ?? NOTHING;
}

export async function refreshCounts(creatorIds?: string[], executor: Executor = db): Promise<void> {
  const only = creatorIds === undefined ? sql`true` : sql`c.id = ANY(${uuids(creatorIds)})`;
  // Concurrent counts would each miss the other's uncommitted rows.
  await executor.execute(sql`SELECT pg_advisory_xact_lock(hashtext('catalog_counts'))`);
  await executor.execute(sql`
    UPDATE creators SET video_count = fresh.videos, photo_set_count = fresh.sets, newest_at = fresh.newest
    FROM (
      SELECT c.id,
        count(*) FILTER (WHERE m.type = 'video')::int AS videos,
        count(*) FILTER (WHERE m.type = 'photoSet')::int AS sets,
        max(m.publish_at) AS newest
      FROM creators c
      LEFT JOIN media_creators mc ON mc.creator_id = c.id
      LEFT JOIN media m ON m.id = mc.media_id AND ${isLive}
      WHERE ${only}
      GROUP BY c.id
    ) fresh
    WHERE creators.id = fresh.id
      AND (video_count, photo_set_count, newest_at) IS DISTINCT FROM (fresh.videos, fresh.sets, fresh.newest)
  `);
  await refreshTotals(executor);
}

/** For rows that a host or a restored backup removed. */
export async function recount(): Promise<void> {
  await db.transaction((tx) => refreshCounts(undefined, tx));
}

export async function refreshCountsOf(mediaIds: string[], executor: Executor = db): Promise<void> {
  const creatorIds = await readRows(executor, text)`
    SELECT DISTINCT creator_id FROM media_creators
    WHERE media_id = ANY(${uuids(mediaIds)})
  `;
  await refreshCounts(creatorIds, executor);
}

async function refreshTotals(executor: Executor): Promise<void> {
  await executor.execute(sql`
    INSERT INTO catalog_totals (videos, video_seconds, photo_sets, photos, creators)
    SELECT count(*) FILTER (WHERE m.type = 'video'), coalesce(sum(m.duration_seconds), 0),
      count(*) FILTER (WHERE m.type = 'photoSet'), coalesce(sum(m.photo_count), 0),
      (SELECT count(*) FROM creators c WHERE ${hasPublished})
    FROM media m WHERE ${isLive}
    ON CONFLICT (id) DO UPDATE SET videos = excluded.videos, video_seconds = excluded.video_seconds,
      photo_sets = excluded.photo_sets, photos = excluded.photos, creators = excluded.creators
  `);
}

/**
 * Copies play counts to where "most watched" sorts by them. An index on the counter itself would rewrite the whole row at
 * each play. Items that somebody is saving are left for the next time.
 */
export async function rankMedia(): Promise<void> {
  await db.execute(sql`
    UPDATE media SET ranked_plays = play_count WHERE id IN (
      SELECT id FROM media WHERE ranked_plays <> play_count FOR NO KEY UPDATE SKIP LOCKED)`);
}

export async function rankTags(): Promise<void> {
  await db.execute(sql`
    UPDATE tags SET video_uses = fresh.videos, photo_set_uses = fresh.sets
    FROM (
      SELECT tags.id, count(*) FILTER (WHERE m.type = 'video')::int AS videos,
        count(*) FILTER (WHERE m.type = 'photoSet')::int AS sets
      FROM tags LEFT JOIN media_tags l ON l.tag_id = tags.id LEFT JOIN media m ON m.id = l.media_id AND ${isLive}
      GROUP BY tags.id
    ) fresh
    WHERE tags.id = fresh.id AND (video_uses, photo_set_uses) IS DISTINCT FROM (fresh.videos, fresh.sets)
  `);
}
