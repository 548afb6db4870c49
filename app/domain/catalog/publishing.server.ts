import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { refreshCounts, refreshCountsOf } from "./counts.server.ts";

/**
 * Publishes at once, or schedules when its date is still to come. Null when there is no such media or it has been
 * withdrawn: what was taken down comes back only through a deliberate edit.
 */
export async function publishMedia(mediaId: string): Promise<"published" | "scheduled" | null> {
  return db.transaction(async (tx) => {
    const [row] = await tx.execute<{ status: "published" | "scheduled" }>(sql`
      UPDATE media SET updated_at = now(),
        status = CASE WHEN publish_at <= now() THEN 'published' ELSE 'scheduled' END::media_status
      WHERE id = ${mediaId} AND status <> 'withdrawn'
      RETURNING status
    `);
    if (!row) return null;
    await refreshCountsOf([mediaId], tx);
    return row.status;
  });
}

/** Takes it off the site for everyone but staff. False when there is no such media. */
export async function withdrawMedia(mediaId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rows = await tx.execute(sql`
      UPDATE media SET status = 'withdrawn', updated_at = now() WHERE id = ${mediaId} RETURNING id
    `);
    if (rows.length > 0) await refreshCountsOf([mediaId], tx);
    return rows.length > 0;
  });
}

/**
 * Publishes what has come due, lets go of what has expired, which the lists leave out already, and recounts when
 * either has changed anything. Returns how many came out.
 */
export async function releaseDueMedia(): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx.execute<{ id: string }>(sql`
      UPDATE media SET status = 'published', updated_at = now()
      WHERE status = 'scheduled' AND publish_at <= now() RETURNING id
    `);
    const expired = await tx.execute(
      sql`DELETE FROM media_terms WHERE expire_at <= now() RETURNING media_id`,
    );
    if (rows.length + expired.length > 0) await refreshCounts(undefined, tx);
    return rows.length;
  });
}
