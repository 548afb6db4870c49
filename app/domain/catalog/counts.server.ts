import { sql } from "drizzle-orm";
import { db, type Executor } from "#db/client.server.ts";

/** Brings the creators' counts and dates up to what is published; all creators when none are named. */
export async function refreshCounts(creatorIds?: string[], executor: Executor = db): Promise<void> {
  const only =
    creatorIds === undefined ? sql`true` : sql`c.id = ANY(${sql.param(`{${creatorIds.join(",")}}`)}::uuid[])`;
  await executor.execute(sql`
    UPDATE creators SET video_count = fresh.videos, photo_set_count = fresh.sets, newest_at = fresh.newest
    FROM (
      SELECT c.id,
        count(*) FILTER (WHERE m.type = 'video')::int AS videos,
        count(*) FILTER (WHERE m.type = 'photoSet')::int AS sets,
        max(m.publish_at) AS newest
      FROM creators c
      LEFT JOIN media_creators mc ON mc.creator_id = c.id
      LEFT JOIN media m ON m.id = mc.media_id AND m.status = 'published' AND m.publish_at <= now()
        AND (m.expire_at IS NULL OR m.expire_at > now())
      WHERE ${only}
      GROUP BY c.id
    ) fresh
    WHERE creators.id = fresh.id
      AND (video_count, photo_set_count, newest_at) IS DISTINCT FROM (fresh.videos, fresh.sets, fresh.newest)
  `);
}

/** The same for everyone credited in one of the media. */
export async function refreshCountsOf(mediaIds: string[], executor: Executor = db): Promise<void> {
  const rows = await executor.execute<{ creator_id: string }>(sql`
    SELECT DISTINCT creator_id FROM media_creators
    WHERE media_id = ANY(${sql.param(`{${mediaIds.join(",")}}`)}::uuid[])
  `);
  if (rows.length > 0)
    await refreshCounts(
      rows.map((row) => row.creator_id),
      executor,
    );
}
