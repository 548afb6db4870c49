import { type SQL, sql } from "drizzle-orm";
import type { AccessViewer } from "#app/domain/billing/access.ts";
import type { MediaCardView } from "#app/domain/catalog/card.ts";
import { cardColumns } from "#app/domain/catalog/card-rows.server.ts";
import { type CardRow, mediaCardView } from "#app/domain/catalog/card-view.ts";
import { isLive } from "#app/domain/catalog/visibility.server.ts";
import { db, searchDb } from "#db/client.server.ts";
import type { FavoriteFilters, FavoriteSort } from "./favorite-filters.ts";

const PAGE_SIZE = 24;

const ORDERS: Record<FavoriteSort, SQL> = {
  marked: sql`own.favorited_at DESC, own.id`,
  newest: sql`m.publish_at DESC, m.id`,
  title: sql`lower(m.title), m.id`,
};

export interface FavoritesPage {
  /** Withdrawn and expired ones are tombstones: nothing but the id, for the form that removes them. */
  favorites: ({ card: MediaCardView } | { card: null; mediaId: string })[];
  counts: { all: number; video: number; photoSet: number };
  /** 1-based, the nearest that exists. */
  page: number;
  pages: number;
}

/** The first row is there also when nothing is marked, with nothing but the counts. */
interface Row extends CardRow, Record<string, unknown> {
  all_count: number;
  video_count: number;
  page: number;
  pages: number;
}

/** The work is bounded by one person's own rows, so pages are numbered. */
export async function listFavorites(
  viewer: AccessViewer & { user: { id: string } },
  filters: FavoriteFilters,
): Promise<FavoritesPage> {
  const database = filters.q ? searchDb : db;
  const [first, ...others] = await database.execute<Row>(sql`
    WITH own AS NOT MATERIALIZED (
      SELECT own.*, m.type FROM favorites own JOIN media m ON m.id = own.media_id
      WHERE own.user_id = ${viewer.user.id} AND own.is_favorited ${matches(filters.q)}
    ), counted AS (
      SELECT count(*)::int AS all_count, count(*) FILTER (WHERE type = 'video')::int AS video_count FROM own
    ), listed AS (
      SELECT media_id, row_number() OVER (ORDER BY ${ORDERS[filters.sort]}) AS place
      FROM own JOIN media m ON m.id = own.media_id ${filters.type ? sql`WHERE own.type = ${filters.type}` : sql``}
    ), shown AS (
      SELECT least(${filters.page}::int, greatest(1, ceil(count(*) / ${PAGE_SIZE}::numeric)::int)) AS page,
        greatest(1, ceil(count(*) / ${PAGE_SIZE}::numeric)::int) AS pages
      FROM listed
    )
    SELECT counted.*, shown.*, ${cardColumns(viewer.user.id)}
    FROM counted CROSS JOIN shown
    LEFT JOIN listed ON listed.place > (shown.page - 1) * ${PAGE_SIZE} AND listed.place <= shown.page * ${PAGE_SIZE}
    LEFT JOIN media m ON m.id = listed.media_id
    ORDER BY listed.place
  `);
  if (!first) throw new Error("Counts are one row at least");
  const { all_count: all, video_count: video, page, pages } = first;
  const rows = [first, ...others].filter((row) => row.id !== null);
  const favorites = rows.map((row) =>
    row.is_live ? { card: mediaCardView(viewer, row) } : { card: null, mediaId: row.id },
  );
  return { favorites, counts: { all, video, photoSet: all - video }, page, pages };
}

/** Tombstones have no title to search by. */
function matches(q: string | null): SQL {
  if (q === null) return sql``;
  return sql`AND ${isLive} AND m.search @@ websearch_to_tsquery('simple', f_unaccent(${q}))`;
}
