import { sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { isLive } from "./visibility.server.ts";

/** What one sitemap file may hold at most, by the sitemaps.org protocol. */
export const SITEMAP_LIMIT = 50_000;

/** The newest media first, until the file is full. `reserved` is the number of other addresses in it. */
export async function listSitemapMedia(
  reserved: number,
): Promise<{ type: MediaType; slug: string; day: string }[]> {
  return db.execute<{ type: MediaType; slug: string; day: string }>(sql`
    SELECT m.type, m.slug, m.updated_at::date::text AS day FROM media m
    WHERE ${isLive} ORDER BY m.publish_at DESC, m.id DESC LIMIT ${SITEMAP_LIMIT - reserved}
  `);
}

export async function listSitemapCreators(): Promise<string[]> {
  const rows = await db.execute<{ slug: string }>(
    sql`SELECT slug FROM creators ORDER BY newest_at DESC NULLS LAST LIMIT 10000`,
  );
  return rows.map((row) => row.slug);
}
