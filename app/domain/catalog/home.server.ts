import { sql } from "drizzle-orm";
import type { AccessViewer } from "#app/domain/billing/access.ts";
import { db } from "#db/client.server.ts";
import type { CreatorCardView, MediaCardView } from "./card.ts";
import { cardColumns } from "./card-rows.server.ts";
import { type CardRow, mediaCardView } from "./card-view.ts";
import { listCreators } from "./creators.server.ts";
import { parseFilters } from "./list-filters.ts";
import { findListPage } from "./list-page.server.ts";
import { isLive } from "./visibility.server.ts";

const VIDEOS_SHOWN = 8;
const SETS_SHOWN = 5;
const CREATORS_SHOWN = 5;
const OWN_SHOWN = 4;
const FIRST_PAGE = { after: null, before: null };

export interface HomePage {
  videos: MediaCardView[];
  photoSets: MediaCardView[];
  creators: CreatorCardView[];
  /** Published since the visit before this one; nothing when signed out. */
  fresh: { count: number; cards: MediaCardView[] };
  favorites: MediaCardView[];
}

export async function findHomePage(
  viewer: AccessViewer & { user: { id: string } | null },
): Promise<HomePage> {
  const newest = parseFilters(new URLSearchParams());
  const [videos, photoSets, { creators }, fresh, favorites] = await Promise.all([
    findListPage(viewer, "video", newest, FIRST_PAGE),
    findListPage(viewer, "photoSet", newest, FIRST_PAGE),
    listCreators({ q: null, sort: "newest", ...FIRST_PAGE }),
    viewer.user ? listFresh(viewer.user.id) : [],
    viewer.user ? listFavorites(viewer.user.id) : [],
  ]);
  return {
    videos: videos.cards.slice(0, VIDEOS_SHOWN),
    photoSets: photoSets.cards.slice(0, SETS_SHOWN),
    creators: creators.slice(0, CREATORS_SHOWN),
    fresh: { count: fresh[0]?.total ?? 0, cards: fresh.map((row) => mediaCardView(viewer, row)) },
    favorites: favorites.map((row) => mediaCardView(viewer, row)),
  };
}

async function listFresh(userId: string): Promise<(CardRow & { total: number })[]> {
  return db.execute<CardRow & { total: number }>(sql`
    SELECT ${cardColumns(userId)}, m.total FROM (
      SELECT m.*, count(*) OVER ()::int AS total FROM media m
      WHERE ${isLive} AND m.publish_at > (SELECT previous_visit_at FROM users WHERE id = ${userId})
      ORDER BY m.publish_at DESC, m.id DESC LIMIT ${OWN_SHOWN}
    ) m ORDER BY m.publish_at DESC, m.id DESC
  `);
}

async function listFavorites(userId: string): Promise<CardRow[]> {
  return db.execute<CardRow>(sql`
    SELECT ${cardColumns(userId)} FROM favorites own JOIN media m ON m.id = own.media_id
    WHERE own.user_id = ${userId} AND own.is_favorited AND ${isLive}
    ORDER BY own.favorited_at DESC, own.id LIMIT ${OWN_SHOWN}
  `);
}
