import { sql } from "drizzle-orm";
import type { AccessMedia } from "#app/domain/billing/access.ts";
import { db } from "#db/client.server.ts";
import { isLive } from "./visibility.server.ts";

/** What accessTo() asks of one work. Null when no such work exists. */
export async function findMediaRule(mediaId: string): Promise<AccessMedia | null> {
  const [rule] = await db.execute<AccessMedia & Record<string, unknown>>(sql`
    SELECT m.access, m.allow_download AS "allowDownload", ${isLive} AS "isLive",
      m.status = 'withdrawn' AS "isWithdrawn"
    FROM media m WHERE m.id = ${mediaId}
  `);
  return rule ?? null;
}
