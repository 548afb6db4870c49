import { type SQL, sql } from "drizzle-orm";
import type { AccessViewer } from "#app/domain/access/access.ts";
import {
  type CardRow,
  cardColumns,
  type MediaCardView,
  mediaCardView,
} from "#app/domain/catalog/cards/cards.server.ts";
import { PAGE_SIZE } from "#app/domain/catalog/lists/paging.server.ts";
import { isLive } from "#app/domain/catalog/media/visibility.server.ts";
import { db, searchDb } from "#db/client.server.ts";
import type { FavoriteFilters, FavoriteSort } from "./favorite-filters.ts";

/** Tombstones come last where their position would reveal a date or a title. */
const ORDERS: Record<FavoriteSort, SQL> = {
  marked: sql`own.favorited_at DESC, own.id`,
  newest: sql`CASE WHEN ${isLive} THEN m.publish_at END DESC NULLS LAST, m.id`,
  title: sql`CASE WHEN ${isLive} THEN lower(m.title) END, m.id`,
};

export interface FavoritesPage {
  /** Media taken down and expired are tombstones: only the id, for the form that removes them. */
  favorites: ({ card: MediaCardView } | { card: null; mediaId: string })[];
  counts: { all: number; video: number; photoSet: number };
  /** 1-based, the nearest existing page. */
  page: number;
  pages: number;
}

interface Row extends CardRow, Record<string, unknown> {
  all_count: number;
  video_count: number;
  page: number;
  pages: number;
}

/** One person's rows are few, so pages are numbered. */
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
      SELECT media_id, row_number() OVER (ORDER BY ${ORDERS[filters.sort]}) AS position
      FROM own JOIN media m ON m.id = own.media_id ${filters.type ? sql`WHERE own.type = ${filters.type}` : sql``}
    ), shown AS (
      SELECT least(${filters.page}::int, greatest(1, ceil(count(*) / ${PAGE_SIZE}::numeric)::int)) AS page,
        greatest(1, ceil(count(*) / ${PAGE_SIZE}::numeric)::int) AS pages
      FROM listed
    )
    SELECT counted.*, shown.*, ${cardColumns(viewer.user.id)}
    FROM counted CROSS JOIN shown
    LEFT JOIN listed ON listed.position > (shown.page - 1) * ${PAGE_SIZE} AND listed.position <= shown.page * ${PAGE_SIZE}
    LEFT JOIN media m ON m.id = listed.media_id
    ORDER BY listed.position
  `);
  if (!first) throw new Error("Counts are one row at least");
  const { all_count: all, video_count: video, page, pages } = first;
  const rows = [first, ...others].filter((row) => row.id !== null);
  const favorites = rows.map((row) =>
    row.is_live ? { card: mediaCardView(viewer, row) } : { card: null, mediaId: row.id },
  );
  return { favorites, counts: { all, video, photoSet: all - video }, page, pages };
}

export function lastFavoriteRows(userId: string, limit: number): SQL {
  return sql`
    SELECT ${cardColumns(userId)} FROM favorites own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${userId} AND own.is_favorited AND ${isLive}
    ORDER BY own.favorited_at DESC, own.id LIMIT ${limit}`;
}

function matches(q: string | null): SQL {
  if (q === null) return sql``;
  return sql`AND ${isLive} AND m.search @@ websearch_to_tsquery('simple', f_unaccent(${q}))`;
}
