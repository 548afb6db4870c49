import { sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { mediaStatus, mediaType } from "#db/schema/catalog.ts";
import type { MediaState } from "../../media/media.server.ts";

const ROWS_AT_ONCE = 1_000;

const StateRow = z.object({
  id: text,
  shortId: text,
  type: z.enum(mediaType.enumValues),
  state: z.enum(mediaStatus.enumValues),
  /** ISO 8601. A draft can keep the date of an earlier publication, which is not a plan. */
  publishAt: text.nullable(),
  title: text,
  position: text,
});

export async function* listStates(
  state: MediaState | null,
): AsyncGenerator<Omit<z.infer<typeof StateRow>, "position">> {
  let from = sql`true`;
  for (;;) {
    const rows = await readRows(db, StateRow)`
      SELECT id, short_id AS "shortId", type, status AS state, title, updated_at::text AS position,
        to_char(publish_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "publishAt"
      FROM media WHERE ${from} AND ${state === null ? sql`true` : sql`status = ${state}`}
      ORDER BY updated_at DESC, id LIMIT ${ROWS_AT_ONCE}`;
    for (const { position: _, ...row } of rows) yield row;
    const last = rows.at(-1);
    if (last === undefined) return;
    from = sql`(updated_at < ${last.position}::timestamptz OR (updated_at = ${last.position}::timestamptz AND id > ${last.id}))`;
  }
}
