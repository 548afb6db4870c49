import { sql } from "drizzle-orm";
import { isLive } from "#app/domain/catalog/media/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { type OwnViewer, type SeenCard, type SeenRow, seenCard, seenColumns } from "./seen-cards.server.ts";

const CONTINUE_SHOWN = 8;

/** Started but not completed, last seen first. Media no longer published is left out. */
export async function listContinue(viewer: OwnViewer): Promise<SeenCard[]> {
  const rows = await db.execute<SeenRow>(sql`
    SELECT ${seenColumns(viewer.user.id)} FROM views own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${viewer.user.id} AND own.completed_at IS NULL AND own.hidden_at IS NULL
      AND own.progress > 0 AND ${isLive}
    ORDER BY own.last_viewed_at DESC, own.id LIMIT ${CONTINUE_SHOWN}
  `);
  return rows.map((row) => seenCard(viewer, row));
}
