import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { refreshCounts, refreshCountsOf } from "./counts.server.ts";
import { statusFrom } from "./visibility.server.ts";

/** Null when it does not exist or was taken down: bringing that back requires a deliberate edit. */
export async function publishMedia(mediaId: string): Promise<"published" | "scheduled" | null> {
  return db.transaction(async (tx) => {
    const [row] = await tx.execute<{ status: "published" | "scheduled" }>(sql`
      UPDATE media SET updated_at = now(), status = ${statusFrom(sql`publish_at`)}
      WHERE id = ${mediaId} AND status <> 'withdrawn'
      RETURNING status
    `);
    if (!row) return null;
    await refreshCountsOf([mediaId], tx);
    return row.status;
  });
}

export async function takeDownMedia(mediaId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rows = await tx.execute(sql`
      UPDATE media SET status = 'withdrawn', updated_at = now() WHERE id = ${mediaId} RETURNING id
    `);
    if (rows.length > 0) await refreshCountsOf([mediaId], tx);
    return rows.length > 0;
  });
}

/** Also drops expired media from the lists. Returns how many were published. */
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
