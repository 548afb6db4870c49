import { sql } from "drizzle-orm";
import { decodeCursor, encodeCursor } from "#app/domain/catalog/lists/cursor.server.ts";
import { isDate } from "#app/domain/catalog/lists/list-orders.ts";
import { PAGE_SIZE } from "#app/domain/catalog/lists/page-size.ts";
import { db } from "#db/client.server.ts";
import { type OwnViewer, type SeenCard, type SeenRow, seenCard, seenColumns } from "./continue-row.server.ts";

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

function tombstone({ id, last_viewed_at }: SeenRow): Tombstone {
  return { card: null, mediaId: id, lastViewedAt: last_viewed_at };
}
