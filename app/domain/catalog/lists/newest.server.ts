import { type SQL, sql } from "drizzle-orm";
import type { CreatorCardView } from "../cards/card.ts";
import { cardColumns, ownColumns, previousVisit } from "../cards/card-rows.server.ts";
import type { CardRow } from "../cards/card-view.ts";
import { listCreators } from "../creators/creators.server.ts";
import { isLive } from "../media/visibility.server.ts";
import { createCache } from "./cache.server.ts";
import { parseFilters } from "./list-filters.ts";
import { listMedia } from "./list-media.server.ts";

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

/** A statement of FreshRow rows: published since the viewer's previous visit, counted up to `limit`. */
export function freshRows(viewerId: string, { shown, limit }: { shown: number; limit: number }): SQL {
  return sql`
    SELECT ${cardColumns(viewerId)}, m.total FROM (
      SELECT counted.*, count(*) OVER ()::int AS total FROM (
        SELECT m.* FROM media m
        WHERE ${isLive} AND m.publish_at > ${previousVisit(viewerId)}
        ORDER BY m.publish_at DESC, m.id DESC LIMIT ${limit}
      ) counted ORDER BY publish_at DESC, id DESC LIMIT ${shown}
    ) m ORDER BY m.publish_at DESC, m.id DESC`;
}
