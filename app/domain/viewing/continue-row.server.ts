import { type SQL, sql } from "drizzle-orm";
import type { AccessViewer } from "#app/domain/access/access.ts";
import {
  type CardRow,
  cardColumns,
  type MediaCardView,
  mediaCardView,
} from "#app/domain/catalog/cards/cards.server.ts";
import { isLive } from "#app/domain/catalog/media/visibility.server.ts";
import { resumeAt } from "./progress-rules.ts";

const CONTINUE_SHOWN = 8;

export type OwnViewer = AccessViewer & { user: { id: string } };
export type SeenRow = CardRow & { stopped_at: number; last_viewed_at: string };

export interface SeenCard {
  card: MediaCardView;
  /** Seconds of a video or number of a photo; null means the beginning. */
  resumeAt: number | null;
  lastViewedAt: string;
}

export function seenColumns(viewerId: string): SQL {
  return sql`${cardColumns(viewerId)}, own.progress AS stopped_at,
    to_char(own.last_viewed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS last_viewed_at`;
}

export function seenCard(viewer: AccessViewer, row: SeenRow): SeenCard {
  return {
    card: mediaCardView(viewer, row),
    resumeAt: resumeAt({ progress: row.stopped_at, isCompleted: row.is_completed }),
    lastViewedAt: row.last_viewed_at,
  };
}

/** SQL for SeenRow rows of live media that are begun and not completed, last viewed first. */
export function continueRows(userId: string): SQL {
  return sql`
    SELECT ${seenColumns(userId)} FROM views own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${userId} AND own.completed_at IS NULL AND own.hidden_at IS NULL
      AND own.progress > 0 AND ${isLive}
    ORDER BY own.last_viewed_at DESC, own.id LIMIT ${CONTINUE_SHOWN}`;
}
