import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { MediaType } from "#app/paths.ts";
import { db, uuids } from "#db/client.server.ts";
import { number, readOne, text } from "#db/rows.ts";
import { CardRow, CreatorCardRow, cardColumns } from "./cards/cards.server.ts";
import { newestCreators } from "./creators/creators.server.ts";
import { createCache } from "./media/cache.server.ts";
import { isCompletedBy, OwnColumns, ownColumns, previousVisit } from "./media/media.server.ts";
import { isLive } from "./media/visibility.server.ts";

export const VIDEOS_SHOWN = 8;
const SETS_SHOWN = 6;
const CREATORS_SHOWN = 6;

const Newest = z.object({
  /** One more than is shown, because the first leads the page of a signed-out visitor. */
  videos: z.array(CardRow),
  photoSets: z.array(CardRow),
  creators: z.array(CreatorCardRow),
});

export const OwnMark = OwnColumns.extend({ id: text });

const LIFETIME_MS = 1_000;
const cached = createCache<z.infer<typeof Newest>>(LIFETIME_MS);

/** As of the last second; the same for everybody. */
export function readNewest() {
  return cached(
    "newest",
    () => readOne(db, Newest)`SELECT
      ${asJson(newestMedia("video", VIDEOS_SHOWN + 1))} AS videos,
      ${asJson(newestMedia("photoSet", SETS_SHOWN))} AS "photoSets",
      ${asJson(newestCreators(CREATORS_SHOWN))} AS creators`,
  );
}

function newestMedia(type: MediaType, limit: number): SQL {
  return sql`SELECT ${cardColumns(null)} FROM media m WHERE m.type = ${type} AND ${isLive}
    ORDER BY m.publish_at DESC, m.id DESC LIMIT ${limit}`;
}

/** An array of the statement's rows, in their order. */
export function asJson(rows: SQL): SQL {
  return sql`(SELECT COALESCE(jsonb_agg(to_jsonb(listed)), '[]') FROM (${rows}) listed)`;
}

export function ownMarks(viewerId: string, mediaIds: string[]): SQL {
  return sql`SELECT m.id, ${ownColumns(viewerId)} FROM media m
    WHERE m.id = ANY(${uuids(mediaIds)})`;
}

export const FreshRow = CardRow.extend({ total: number });

/** Published since the previous visit and not seen to the end, counted up to `limit`. Each type is read along its index: a long absence costs no more. */
export function freshRows(viewerId: string, { shown, limit }: { shown: number; limit: number }): SQL {
  const inOrder = sql`ORDER BY m.publish_at DESC, m.id DESC`;
  return sql`
    SELECT ${cardColumns(viewerId)}, fresh.total FROM (
      SELECT m.id, count(*) OVER ()::int AS total FROM (
        SELECT m.* FROM unnest(enum_range(NULL::media_type)) AS of(type), LATERAL (
          SELECT m.id, m.publish_at FROM media m
          WHERE m.type = of.type AND ${isLive} AND m.publish_at > ${previousVisit(viewerId)}
            AND NOT ${isCompletedBy(viewerId)}
          ${inOrder} LIMIT ${limit}
        ) m ${inOrder} LIMIT ${limit}
      ) m ${inOrder} LIMIT ${shown}
    ) fresh JOIN media m ON m.id = fresh.id ${inOrder}`;
}
