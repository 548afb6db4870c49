import { type SQL, sql } from "drizzle-orm";
import { isLive } from "#app/domain/catalog/media/visibility.server.ts";
import { seenColumns } from "./seen-cards.server.ts";

const CONTINUE_SHOWN = 8;

/** A statement of SeenRow rows: begun and not completed, last seen first. Media no longer published is left out. */
export function continueRows(userId: string): SQL {
  return sql`
    SELECT ${seenColumns(userId)} FROM views own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${userId} AND own.completed_at IS NULL AND own.hidden_at IS NULL
      AND own.progress > 0 AND ${isLive}
    ORDER BY own.last_viewed_at DESC, own.id LIMIT ${CONTINUE_SHOWN}`;
}
