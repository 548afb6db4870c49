import { sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import type { MediaState } from "../../media/media.server.ts";

interface ListedState {
  id: string;
  shortId: string;
  type: MediaType;
  state: MediaState;
  /** ISO 8601. A draft's date is no plan. */
  publishAt: string | null;
  title: string;
}

const ROWS_AT_ONCE = 1_000;

export async function* listStates(state: MediaState | null): AsyncGenerator<ListedState> {
  let from = sql`true`;
  for (;;) {
    const rows = await db.execute<ListedState & { position: string } & Record<string, unknown>>(sql`
      SELECT id, short_id AS "shortId", type, status AS state, title, updated_at::text AS position,
        to_char(publish_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "publishAt"
      FROM media WHERE ${from} AND ${state === null ? sql`true` : sql`status = ${state}`}
      ORDER BY updated_at DESC, id LIMIT ${ROWS_AT_ONCE}`);
    for (const { position: _, ...row } of rows) yield row;
    const last = rows.at(-1);
    if (last === undefined) return;
    from = sql`(updated_at < ${last.position}::timestamptz OR (updated_at = ${last.position}::timestamptz AND id > ${last.id}))`;
  }
}
