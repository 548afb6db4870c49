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

/** The work is bounded by one person's own rows, so pages are numbered. */
export async function listFavorites(
  viewer: AccessViewer & { user: { id: string } },
  filters: FavoriteFilters,
): Promise<FavoritesPage> {
  const own = sql`FROM favorites own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${viewer.user.id} AND own.is_favorited ${matches(filters.q)}`;
  const database = filters.q ? searchDb : db;
  const [counted] = await database.execute<{ video: number; photo_set: number }>(sql`
    SELECT count(*) FILTER (WHERE m.type = 'video')::int AS video,
      count(*) FILTER (WHERE m.type = 'photoSet')::int AS photo_set ${own}
  `);
  const { video, photo_set: photoSet } = counted ?? { video: 0, photo_set: 0 };
  const counts = { all: video + photoSet, video, photoSet };
  const pages = Math.max(1, Math.ceil(counts[filters.type ?? "all"] / PAGE_SIZE));
  const page = Math.min(filters.page, pages);
  const rows = await database.execute<CardRow>(sql`
    SELECT ${cardColumns(viewer.user.id)} ${own} ${filters.type ? sql`AND m.type = ${filters.type}` : sql``}
    ORDER BY ${ORDERS[filters.sort]} LIMIT ${PAGE_SIZE} OFFSET ${(page - 1) * PAGE_SIZE}
  `);
  const favorites = rows.map((row) =>
    row.is_live ? { card: mediaCardView(viewer, row) } : { card: null, mediaId: row.id },
  );
  return { favorites, counts, page, pages };
}

/** Tombstones have no title to search by. */
function matches(q: string | null): SQL {
  if (q === null) return sql``;
  return sql`AND ${isLive} AND m.search @@ websearch_to_tsquery('simple', f_unaccent(${q}))`;
}
