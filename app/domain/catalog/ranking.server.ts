import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** Carries the plays since the last time into the lists by most watched. Doing it at each play would write all of a media's terms. */
export async function rankMedia(): Promise<void> {
  await db.execute(sql`
    UPDATE media_terms t SET play_count = moved.play_count
    FROM (
      SELECT m.id, m.play_count FROM media_terms listed JOIN media m ON m.id = listed.media_id
      WHERE listed.term = list_term('all') AND listed.play_count <> m.play_count
    ) moved
    WHERE t.media_id = moved.id
  `);
}
