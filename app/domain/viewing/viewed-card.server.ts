import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { AccessViewer } from "#app/domain/access/access.ts";
import {
  CardRow,
  cardColumns,
  type MediaCardView,
  mediaCardView,
} from "#app/domain/catalog/cards/cards.server.ts";
import { text } from "#db/rows.ts";
import { resumePoint } from "./progress-rules.ts";

export type SignedInViewer = AccessViewer & { user: { id: string } };
export const ViewedRow = CardRow.extend({ last_viewed_at: text });
export type ViewedRow = z.infer<typeof ViewedRow>;

export interface ViewedCard {
  card: MediaCardView;
  resumeAt: number | null;
  lastViewedAt: string;
}

export function viewedColumns(viewerId: string): SQL {
  return sql`${cardColumns(viewerId)},
    to_char(own.last_viewed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS last_viewed_at`;
}

export function viewedCard(viewer: AccessViewer, row: ViewedRow): ViewedCard {
  return {
    card: mediaCardView(viewer, row),
    resumeAt: resumePoint({ progress: row.progress ?? 0, isCompleted: row.is_completed }, row.photo_count),
    lastViewedAt: row.last_viewed_at,
  };
}
