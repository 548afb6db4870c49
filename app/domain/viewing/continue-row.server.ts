import { type SQL, sql } from "drizzle-orm";
import { isLive } from "#app/domain/catalog/media/visibility.server.ts";
import { viewedColumns } from "./viewed-card.server.ts";

const CONTINUE_SHOWN = 8;

/** SQL for ViewedRow rows of live media that are begun and not completed, last viewed first. */
export function continueRows(userId: string): SQL {
  return sql`
    SELECT ${viewedColumns(userId)} FROM views own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${userId} AND own.completed_at IS NULL AND own.hidden_at IS NULL
      AND own.progress > 0 AND ${isLive}
    ORDER BY own.last_viewed_at DESC, own.id LIMIT ${CONTINUE_SHOWN}`;
}
