import { type SQL, sql } from "drizzle-orm";
import type { AccessViewer } from "#app/domain/billing/access.ts";
import type { MediaCardView } from "#app/domain/catalog/card.ts";
import { cardColumns } from "#app/domain/catalog/card-rows.server.ts";
import { type CardRow, mediaCardView } from "#app/domain/catalog/card-view.ts";
import { decodeCursor, encodeCursor } from "#app/domain/catalog/cursor.server.ts";
import { isLive } from "#app/domain/catalog/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { resumeAt } from "./place.ts";

const CONTINUE_SHOWN = 8;
const HISTORY_PAGE_SIZE = 24;

type OwnViewer = AccessViewer & { user: { id: string } };
type SeenRow = CardRow & { stopped_at: number; last_viewed_at: string };

export interface SeenCard {
  card: MediaCardView;
  /** Seconds of a film, number of a photo; null means from the beginning. */
  resumeAt: number | null;
  /** ISO 8601. */
  lastViewedAt: string;
}

/** Begun and not ended, films and sets together, the last seen first. What is not there any more is left out. */
export async function listContinue(viewer: OwnViewer): Promise<SeenCard[]> {
  const rows = await db.execute<SeenRow>(sql`
    SELECT ${seenColumns(viewer.user.id)} FROM views own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${viewer.user.id} AND own.completed_at IS NULL AND own.hidden_at IS NULL
      AND own.progress > 0 AND ${isLive}
    ORDER BY own.last_viewed_at DESC, own.id LIMIT ${CONTINUE_SHOWN}
  `);
  return rows.map((row) => seenCard(viewer, row));
}

export interface HistoryPage {
  seen: (SeenCard & { isGone: boolean })[];
  /** Cursor for `after`; null at the end. */
  next: string | null;
}

/** Everything that was opened, the last first. */
export async function listHistory(viewer: OwnViewer, after: string | null): Promise<HistoryPage> {
  const cursor = decodeCursor(after);
  const place =
    cursor && isDate(cursor[0])
      ? sql`AND (own.last_viewed_at, own.id) < (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`
      : sql``;
  const found = await db.execute<SeenRow & { view_id: string; sort_value: string }>(sql`
    SELECT ${seenColumns(viewer.user.id)}, own.id AS view_id, own.last_viewed_at::text AS sort_value
    FROM views own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${viewer.user.id} ${place}
    ORDER BY own.last_viewed_at DESC, own.id DESC LIMIT ${HISTORY_PAGE_SIZE + 1}
  `);
  const rows = found.slice(0, HISTORY_PAGE_SIZE);
  const last = rows.at(-1);
  return {
    seen: rows.map((row) => ({ ...seenCard(viewer, row), isGone: !row.is_live })),
    next: last && found.length > rows.length ? encodeCursor([last.sort_value, last.view_id]) : null,
  };
}

function seenColumns(viewerId: string): SQL {
  return sql`${cardColumns(viewerId)}, own.progress AS stopped_at,
    to_char(own.last_viewed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS last_viewed_at`;
}

function seenCard(viewer: AccessViewer, row: SeenRow): SeenCard {
  return {
    card: mediaCardView(viewer, row),
    resumeAt: resumeAt({ progress: row.stopped_at, isCompleted: row.is_completed }),
    lastViewedAt: row.last_viewed_at,
  };
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:?\d\d)?$/.test(text);
}
