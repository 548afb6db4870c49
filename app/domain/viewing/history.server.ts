import { type SQL, sql } from "drizzle-orm";
import type { AccessViewer } from "#app/domain/access/access.ts";
import type { MediaCardView } from "#app/domain/catalog/cards/card.ts";
import { cardColumns } from "#app/domain/catalog/cards/card-rows.server.ts";
import { type CardRow, mediaCardView } from "#app/domain/catalog/cards/card-view.ts";
import { decodeCursor, encodeCursor } from "#app/domain/catalog/lists/cursor.server.ts";
import { isDate } from "#app/domain/catalog/lists/list-orders.ts";
import { PAGE_SIZE } from "#app/domain/catalog/lists/page-size.ts";
import { isLive } from "#app/domain/catalog/media/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { resumeAt } from "./resume-position.ts";

const CONTINUE_SHOWN = 8;

type OwnViewer = AccessViewer & { user: { id: string } };
type SeenRow = CardRow & { stopped_at: number; last_viewed_at: string };

export interface SeenCard {
  card: MediaCardView;
  /** Seconds of a video or number of a photo; null means the beginning. */
  resumeAt: number | null;
  lastViewedAt: string;
}

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

/** Opened media that is no longer published: the id, for the form that removes it, and the member's own time. */
interface Tombstone {
  card: null;
  mediaId: string;
  lastViewedAt: string;
}

export interface HistoryPage {
  seen: (SeenCard | Tombstone)[];
  next: string | null;
}

export async function listHistory(viewer: OwnViewer, after: string | null): Promise<HistoryPage> {
  const cursor = decodeCursor(after);
  const position =
    cursor && isDate(cursor[0])
      ? sql`AND (own.last_viewed_at, own.id) < (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`
      : sql``;
  const found = await db.execute<SeenRow & { view_id: string; sort_value: string }>(sql`
    SELECT ${seenColumns(viewer.user.id)}, own.id AS view_id, own.last_viewed_at::text AS sort_value
    FROM views own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${viewer.user.id} ${position}
    ORDER BY own.last_viewed_at DESC, own.id DESC LIMIT ${PAGE_SIZE + 1}
  `);
  const rows = found.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return {
    seen: rows.map((row) => (row.is_live ? seenCard(viewer, row) : tombstone(row))),
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

function tombstone({ id, last_viewed_at }: SeenRow): Tombstone {
  return { card: null, mediaId: id, lastViewedAt: last_viewed_at };
}
