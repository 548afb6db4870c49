import { type SQL, sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import { db, searchDb } from "#db/client.server.ts";
import { cardColumns } from "./card-rows.server.ts";
import type { CardRow } from "./card-view.ts";
import { type BetterWords, betterWords, withBetterWords } from "./correct-search.server.ts";
import { type Cursor, decodeCursor, encodeCursor } from "./cursor.server.ts";
import { listFilterOptions } from "./filter-options.server.ts";
import type { ListFilters } from "./list-filters.ts";
import { ORDERS, type Order } from "./list-orders.ts";
import { type Place, scanMedia, walkTerms } from "./list-places.server.ts";
import { ALL, sharesOf, termsOf } from "./list-terms.server.ts";
import { remembered } from "./remembered.server.ts";
import { plainWords } from "./search-words.ts";

export const PAGE_SIZE = 24;
/** Beyond it, finding all that have several words and sorting them is less work. */
const WALK_LIMIT = 500;
const SHARES_LIFETIME_MS = 60_000;
/** How common a thing is changes slowly. */
const rememberedShares = remembered<number[]>(SHARES_LIFETIME_MS);

export interface PageRequest {
  after: string | null;
  before: string | null;
}

export interface MediaPage {
  rows: CardRow[];
  /** Cursors for `after` and `before`; null at the end of the list. */
  next: string | null;
  previous: string | null;
  /** The search that may have been meant, when nothing has the words of this one and they need not be taken as they are. */
  corrected: string | null;
}

type Row = CardRow & { sort_value: string; better: null };
/** The only one when nothing was found. */
type NoRow = { id: null; better: BetterWords | null };

/** A page of live media of one type, in one statement. A broken cursor counts as the first page. */
export async function listMedia(
  type: MediaType,
  filters: ListFilters,
  page: PageRequest = { after: null, before: null },
  viewerId: string | null = null,
): Promise<MediaPage> {
  const order = ORDERS[filters.sort];
  const after = usable(order, decodeCursor(page.after));
  const before = after ? null : usable(order, decodeCursor(page.before));
  const isDown = before ? !order.descending : order.descending;
  const place = { order, cursor: after ?? before, isDown, limit: PAGE_SIZE + 1 };
  const database = filters.q ? searchDb : db;
  const direction = isDown ? sql`DESC` : sql`ASC`;
  const search = filters.exact ? null : filters.q;
  const found = await database.execute<Row | NoRow>(sql`
    WITH page AS MATERIALIZED (${await placesOf(type, filters, viewerId, place)})
    SELECT ${cardColumns(viewerId)}, page.sort_value::text AS sort_value, otherwise.better
    FROM (
      SELECT CASE WHEN NOT EXISTS (SELECT FROM page) THEN ${search ? betterWords(search) : sql`NULL`} END AS better
    ) otherwise
    LEFT JOIN (page JOIN media m ON m.id = page.id) ON true
    ORDER BY page.sort_value ${direction}, m.id ${direction}
  `);
  const hasMore = found.length > PAGE_SIZE;
  const rows = found.slice(0, PAGE_SIZE).filter((row): row is Row => row.id !== null);
  const better = found[0]?.better;
  if (before) rows.reverse();
  return {
    rows,
    next: hasMore || before ? cursorOf(rows.at(-1)) : null,
    previous: after || (before && hasMore) ? cursorOf(rows[0]) : null,
    corrected: search && better ? withBetterWords(search, better) : null,
  };
}

async function placesOf(
  type: MediaType,
  filters: ListFilters,
  viewerId: string | null,
  place: Place,
): Promise<SQL> {
  const words = filters.q ? plainWords(filters.q) : [];
  const options = await listFilterOptions(type);
  const terms = termsOf(filters, words ?? [], options);
  const seen = viewerId ? filters.seen : null;
  if (words === null || seen === "seen") {
    return scanMedia(type, terms, { search: words === null ? filters.q : null, seen, viewerId }, place);
  }
  const unseenBy = seen === "unseen" ? viewerId : null;
  if (terms.length < 2) return walkTerms(type, [...terms, ALL].slice(0, 1), unseenBy, place);
  const shares = await rememberedShares(JSON.stringify({ ...filters, sort: null }), () => sharesOf(terms));
  if (words.length > 1 && walkLength(shares) > WALK_LIMIT) {
    const rest = termsOf(filters, [], options);
    return scanMedia(type, rest, { search: filters.q, seen, viewerId }, place);
  }
  return walkTerms(type, rarestFirst(terms, shares), unseenBy, place);
}

/** Rarest first, for it is the one to walk along. */
function rarestFirst(terms: SQL[], shares: number[]): SQL[] {
  const order = terms.map((term, index) => ({ term, share: shares[index] ?? 0 }));
  return order.sort((a, b) => a.share - b.share).map(({ term }) => term);
}

/** How many rows of the rarest term it takes to fill a page, if the terms know nothing of each other. */
function walkLength(shares: number[]): number {
  const [, ...others] = shares.toSorted((a, b) => a - b);
  return PAGE_SIZE / others.reduce((product, share) => product * share, 1);
}

function usable(order: Order, cursor: Cursor | null): Cursor | null {
  return cursor && order.isValue(cursor[0]) ? cursor : null;
}

function cursorOf(row: Row | undefined): string | null {
  return row ? encodeCursor([row.sort_value, row.id]) : null;
}
