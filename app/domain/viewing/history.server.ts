import { type SQL, sql } from "drizzle-orm";
import { beyond, isDate, pageOf, positionOf } from "#app/domain/catalog/lists/paging.server.ts";
import { isLive } from "#app/domain/catalog/media/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import {
  type SignedInViewer,
  type ViewedCard,
  ViewedRow,
  viewedCard,
  viewedColumns,
} from "./viewed-card.server.ts";

interface Tombstone {
  card: null;
  mediaId: string;
  lastViewedAt: string;
}

export interface HistoryPage {
  entries: (ViewedCard | Tombstone)[];
  next: string | null;
}

const BY_LAST_VIEW = {
  column: sql`own.last_viewed_at`,
  cast: sql`timestamptz`,
  descending: true,
  isValue: isDate,
};

const HistoryRow = ViewedRow.extend({ view_id: text, sort_value: text });

export async function listHistory(viewer: SignedInViewer, after: string | null): Promise<HistoryPage> {
  const position = positionOf(BY_LAST_VIEW, { after, before: null });
  const found = await readRows(db, HistoryRow)`
    SELECT ${viewedColumns(viewer.user.id)}, own.id AS view_id, own.last_viewed_at::text AS sort_value
    FROM views own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${viewer.user.id} ${beyond(position, sql`own.id`)}
  `;
  const { rows, next } = pageOf(found, position, ({ view_id }) => view_id);
  return { entries: rows.map((row) => (row.is_live ? viewedCard(viewer, row) : tombstone(row))), next };
}

function tombstone({ id, last_viewed_at }: ViewedRow): Tombstone {
  return { card: null, mediaId: id, lastViewedAt: last_viewed_at };
}

const CONTINUE_SHOWN = 8;

export function continueRows(userId: string): SQL {
  return sql`
    SELECT ${viewedColumns(userId)} FROM views own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${userId} AND own.completed_at IS NULL AND own.hidden_at IS NULL
      AND own.progress > 0 AND ${isLive}
    ORDER BY own.last_viewed_at DESC, own.id LIMIT ${CONTINUE_SHOWN}`;
}
