import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** Two steps were tried for the last time. */
export async function failEncoding(mediaId: string): Promise<void> {
  await db.execute(sql`INSERT INTO media_encodings (media_id) VALUES (${mediaId})`);
  await db.execute(sql`
    INSERT INTO media_work (media_id, step, position, state, attempts) VALUES
      (${mediaId}, 'rung-720', 1, 'done', 1), (${mediaId}, 'hover', 2, 'failed', 3), (${mediaId}, 'sprite', 3, 'failed', 3)`);
}
