import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AccessViewer } from "#app/domain/access/access.ts";
import {
  CardRow,
  cardColumns,
  type MediaCardView,
  mediaCardView,
} from "#app/domain/catalog/cards/cards.server.ts";
import { matchesSearch } from "#app/domain/catalog/lists/search.server.ts";
import { isLive } from "#app/domain/catalog/media/visibility.server.ts";
import { db, searchDb } from "#db/client.server.ts";
import { readRows } from "#db/rows.ts";
import type { FavoriteFilters, FavoriteSort } from "./favorite-filters.ts";
import {
  CountedRow,
  countsIn,
  EmptyPageRow,
  type FavoriteCounts,
  pageCount,
  pageOfListed,
  photoCount,
} from "./favorite-pages.server.ts";

/** The order of the index: without the last words PostgreSQL would sort all of a person's rows. */
const LAST_FIRST = sql`own.favorited_at DESC NULLS LAST, own.id`;

/** Tombstones come last where their position would reveal a date or a title. */
const ORDERS: Record<FavoriteSort, SQL> = {
  marked: LAST_FIRST,
  newest: sql`CASE WHEN ${isLive} THEN m.publish_at END DESC NULLS LAST, m.id`,
  title: sql`CASE WHEN ${isLive} THEN lower(m.title) END, m.id`,
};

export interface FavoritesPage {
  /** Media taken down and expired are tombstones: only the id, for the form that removes them. */
  favorites: ({ card: MediaCardView } | { card: null; mediaId: string })[];
  counts: FavoriteCounts;
  page: number;
  pages: number;
}

const Row = z.union([CountedRow.extend(CardRow.shape), EmptyPageRow]);

export async function listFavorites(
  viewer: AccessViewer & { user: { id: string } },
  filters: FavoriteFilters,
): Promise<FavoritesPage> {
  const database = filters.q ? searchDb : db;
  const [first, ...others] = await readRows(database, Row)`
    WITH own AS NOT MATERIALIZED (
      SELECT own.*, m.type FROM favorites own JOIN media m ON m.id = own.media_id
      WHERE own.user_id = ${viewer.user.id} AND own.is_favorited ${filters.q ? sql`AND ${isLive} AND ${await matchesSearch(filters.q)}` : sql``}
    ), counted AS (
      SELECT count(*)::int AS all_count, count(*) FILTER (WHERE type = 'video')::int AS video_count,
        ${photoCount(viewer.user.id)} AS favorite_photos FROM own
    ), listed AS (
      SELECT media_id, row_number() OVER (ORDER BY ${ORDERS[filters.sort]}) AS position
      FROM own JOIN media m ON m.id = own.media_id ${filters.type ? sql`WHERE own.type = ${filters.type}` : sql``}
    ), shown AS (SELECT ${pageCount(filters.page)} FROM listed)
    SELECT counted.*, shown.*, ${cardColumns(viewer.user.id)}
    FROM counted CROSS JOIN shown
    LEFT JOIN listed ON ${pageOfListed}
    LEFT JOIN media m ON m.id = listed.media_id
    ORDER BY listed.position
  `;
  if (!first) throw new Error("Counts are one row at least");
  const rows = [first, ...others].filter((row) => row.id !== null);
  const favorites = rows.map((row) =>
    row.is_live ? { card: mediaCardView(viewer, row) } : { card: null, mediaId: row.id },
  );
  return { favorites, ...countsIn(first) };
}

export function lastFavoriteRows(userId: string, limit: number): SQL {
  return sql`
    SELECT ${cardColumns(userId)} FROM favorites own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${userId} AND own.is_favorited AND ${isLive}
    ORDER BY ${LAST_FIRST} LIMIT ${limit}`;
}
