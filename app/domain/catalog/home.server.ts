import { sql } from "drizzle-orm";
import type { AccessViewer } from "#app/domain/access/access.ts";
import { db } from "#db/client.server.ts";
import type { CreatorCardView, MediaCardView } from "./cards/card.ts";
import { cardColumns, previousVisit } from "./cards/card-rows.server.ts";
import { type CardRow, mediaCardView } from "./cards/card-view.ts";
import { listCreators } from "./creators/creators.server.ts";
import { parseFilters } from "./lists/list-filters.ts";
import { findListPage } from "./lists/list-page.server.ts";
import { isLive } from "./media/visibility.server.ts";

const VIDEOS_SHOWN = 8;
const SETS_SHOWN = 6;
const CREATORS_SHOWN = 6;
const OWN_SHOWN = 4;
/** Counting stops here, since somebody may come back after years. */
export const FRESH_COUNTED = 100;
const FIRST_PAGE = { after: null, before: null };

export interface HomePage {
  /** The newest video, shown first when signed out and then missing in `videos`. */
  lead: MediaCardView | null;
  videos: MediaCardView[];
  photoSets: MediaCardView[];
  creators: CreatorCardView[];
  /** Published since the previous visit, counted up to FRESH_COUNTED; empty when signed out. */
  fresh: { count: number; isMore: boolean; cards: MediaCardView[] };
  favorites: MediaCardView[];
}

export async function findHomePage(
  viewer: AccessViewer & { user: { id: string } | null },
): Promise<HomePage> {
  const newest = parseFilters(new URLSearchParams());
  const [videos, photoSets, { creators }, fresh, favorites] = await Promise.all([
    findListPage(viewer, "video", newest, FIRST_PAGE),
    findListPage(viewer, "photoSet", newest, FIRST_PAGE),
    listCreators(viewer, { q: null, sort: "newest", ...FIRST_PAGE }),
    viewer.user ? listFresh(viewer.user.id) : [],
    viewer.user ? listFavorites(viewer.user.id) : [],
  ]);
  const lead = viewer.user ? null : (videos.cards[0] ?? null);
  const first = lead ? 1 : 0;
  return {
    lead,
    videos: videos.cards.slice(first, first + VIDEOS_SHOWN),
    photoSets: photoSets.cards.slice(0, SETS_SHOWN),
    creators: creators.slice(0, CREATORS_SHOWN),
    fresh: freshView(viewer, fresh),
    favorites: favorites.map((row) => mediaCardView(viewer, row)),
  };
}

type FreshRow = CardRow & { total: number };

function freshView(viewer: AccessViewer, rows: FreshRow[]): HomePage["fresh"] {
  const total = rows[0]?.total ?? 0;
  const cards = rows.map((row) => mediaCardView(viewer, row));
  return { count: Math.min(total, FRESH_COUNTED), isMore: total > FRESH_COUNTED, cards };
}

async function listFresh(userId: string): Promise<FreshRow[]> {
  return db.execute<FreshRow>(sql`
    SELECT ${cardColumns(userId)}, m.total FROM (
      SELECT counted.*, count(*) OVER ()::int AS total FROM (
        SELECT m.* FROM media m
        WHERE ${isLive} AND m.publish_at > ${previousVisit(userId)}
        ORDER BY m.publish_at DESC, m.id DESC LIMIT ${FRESH_COUNTED + 1}
      ) counted ORDER BY publish_at DESC, id DESC LIMIT ${OWN_SHOWN}
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
