import { z } from "zod";
import {
  CardRow,
  type CardViewer,
  type CreatorCardView,
  creatorCardView,
  type MediaCardView,
  mediaCardView,
} from "#app/domain/catalog/cards/cards.server.ts";
import {
  asJson,
  FreshRow,
  freshRows,
  OwnMark,
  ownMarks,
  readNewest,
  VIDEOS_SHOWN,
} from "#app/domain/catalog/newest.server.ts";
import { lastFavoriteRows } from "#app/domain/favorites/list-favorites.server.ts";
import { continueRows } from "#app/domain/viewing/history.server.ts";
import { type ViewedCard, ViewedRow, viewedCard } from "#app/domain/viewing/viewed-card.server.ts";
import { db } from "#db/client.server.ts";
import { readOne } from "#db/rows.ts";

const OWN_SHOWN = 4;
const FRESH_COUNTED = 100;

export interface HomePage {
  /** The newest video, shown first when signed out and then missing in `videos`. */
  lead: MediaCardView | null;
  videos: MediaCardView[];
  photoSets: MediaCardView[];
  creators: CreatorCardView[];
  fresh: { count: number; isMore: boolean; cards: MediaCardView[] };
  favorites: MediaCardView[];
  begun: ViewedCard[];
}

const OwnLists = z.object({
  begun: z.array(ViewedRow),
  fresh: z.array(FreshRow),
  marked: z.array(CardRow),
  marks: z.array(OwnMark),
});
type OwnLists = z.infer<typeof OwnLists>;

const NOTHING_OWN: OwnLists = { begun: [], fresh: [], marked: [], marks: [] };

export async function findHomePage(found: CardViewer | Promise<CardViewer>): Promise<HomePage> {
  const reading = readNewest();
  // A refused viewer is the error to report.
  reading.catch(() => {});
  const viewer = await found;
  const newest = await reading;
  const { photoSets } = newest;
  const first = viewer.user ? 0 : 1;
  const videos = newest.videos.slice(first, first + VIDEOS_SHOWN);
  const own = viewer.user ? await readOwn(viewer.user.id, [...videos, ...photoSets]) : NOTHING_OWN;
  const marks = new Map(own.marks.map((mark) => [mark.id, mark]));
  const card = (row: CardRow) => mediaCardView(viewer, { ...row, ...marks.get(row.id) });
  const [lead] = newest.videos;
  return {
    lead: viewer.user === null && lead ? card(lead) : null,
    videos: videos.map(card),
    photoSets: photoSets.map(card),
    creators: newest.creators.map(creatorCardView),
    fresh: freshView(own.fresh, card),
    favorites: own.marked.map(card),
    begun: own.begun.map((row) => viewedCard(viewer, row)),
  };
}

function freshView(rows: OwnLists["fresh"], card: (row: CardRow) => MediaCardView): HomePage["fresh"] {
  const total = rows[0]?.total ?? 0;
  return { count: Math.min(total, FRESH_COUNTED), isMore: total > FRESH_COUNTED, cards: rows.map(card) };
}

function readOwn(viewerId: string, listed: CardRow[]): Promise<OwnLists> {
  const ids = listed.map(({ id }) => id);
  const fresh = freshRows(viewerId, { shown: OWN_SHOWN, limit: FRESH_COUNTED + 1 });
  return readOne(db, OwnLists)`SELECT
    ${asJson(continueRows(viewerId))} AS begun,
    ${asJson(fresh)} AS fresh,
    ${asJson(lastFavoriteRows(viewerId, OWN_SHOWN))} AS marked,
    ${asJson(ownMarks(viewerId, ids))} AS marks`;
}
