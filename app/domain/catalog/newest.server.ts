import { type SQL, sql } from "drizzle-orm";
import type { CreatorCardView } from "./cards/card.ts";
import { cardColumns } from "./cards/card-rows.server.ts";
import type { CardRow } from "./cards/card-view.ts";
import { listCreators } from "./creators/creators.server.ts";
import { createCache } from "./lists/cache.server.ts";
import { parseFilters } from "./lists/list-filters.ts";
import { listMedia } from "./lists/list-media.server.ts";
import { ownColumns, previousVisit } from "./media/own-columns.server.ts";
import { isLive } from "./media/visibility.server.ts";

export interface Newest {
  videos: CardRow[];
  photoSets: CardRow[];
  creators: CreatorCardView[];
}

export type OwnMark = Pick<CardRow, "id" | "is_new" | "progress" | "is_completed" | "is_favorited">;

const LIFETIME_MS = 1_000;
const FIRST_PAGE = { after: null, before: null };
const VISITOR = { isAdult: true, user: null, subscription: null };
const cached = createCache<Newest>(LIFETIME_MS);

export function readNewest(): Promise<Newest> {
  return cached("newest", async () => {
    const filters = parseFilters(new URLSearchParams());
    const [videos, photoSets, { creators }] = await Promise.all([
      listMedia("video", filters),
      listMedia("photoSet", filters),
      listCreators(VISITOR, { q: null, sort: "newest", ...FIRST_PAGE }),
    ]);
    return { videos: videos.rows, photoSets: photoSets.rows, creators };
  });
}

export function ownMarks(viewerId: string, mediaIds: string[]): SQL {
  return sql`SELECT m.id, ${ownColumns(viewerId)} FROM media m
    WHERE m.id = ANY(${sql.param(`{${mediaIds.join()}}`)}::uuid[])`;
}

export type FreshRow = CardRow & { total: number };

/**
 * A statement of FreshRow rows: published since the viewer's previous visit, counted up to `limit`. Each type is read
 * along its index, so that a long absence costs no more than a short one.
 */
export function freshRows(viewerId: string, { shown, limit }: { shown: number; limit: number }): SQL {
  const inOrder = sql`ORDER BY m.publish_at DESC, m.id DESC`;
  return sql`
    SELECT ${cardColumns(viewerId)}, fresh.total FROM (
      SELECT m.id, count(*) OVER ()::int AS total FROM (
        SELECT m.* FROM unnest(enum_range(NULL::media_type)) AS of(type), LATERAL (
          SELECT m.id, m.publish_at FROM media m
          WHERE m.type = of.type AND ${isLive} AND m.publish_at > ${previousVisit(viewerId)}
          ${inOrder} LIMIT ${limit}
        ) m ${inOrder} LIMIT ${limit}
      ) m ${inOrder} LIMIT ${shown}
    ) fresh JOIN media m ON m.id = fresh.id ${inOrder}`;
}
