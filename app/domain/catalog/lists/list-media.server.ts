import { type SQL, sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import { listDb, searchDb } from "#db/client.server.ts";
import { type CardRow, cardColumns } from "../cards/cards.server.ts";
import { createCache } from "../media/cache.server.ts";
import { type Corrections, corrections, withCorrections } from "./correct-search.server.ts";
import { listFilterOptions } from "./filter-options.server.ts";
import type { ListFilters } from "./list-filters.ts";
import { ORDERS, type Order } from "./list-orders.ts";
import { ALL, scanMedia, sharesOf, termsOf, walkTerms } from "./media-terms.server.ts";
import {
  directionOf,
  PAGE_SIZE,
  type PageRequest,
  type Position,
  pageOf,
  positionOf,
} from "./paging.server.ts";

/** Above it, finding and sorting all matches of several words is faster. */
const WALK_LIMIT = 500;
/** Words that are one lexeme in Postgres: the word in lower case, without accents. */
const PLAIN = /^[A-Za-z0-9À-ÖØ-öø-ÿ]+$/;
const SHARES_LIFETIME_MS = 60_000;
const cachedShares = createCache<number[]>(SHARES_LIFETIME_MS);

interface MediaPage {
  rows: CardRow[];
  next: string | null;
  previous: string | null;
  /** The suggested search when nothing has these words; null for an exact search. */
  corrected: string | null;
}

type Row = CardRow & { sort_value: string; better: null };
type NoRow = { id: null; better: Corrections | null };

/** One page of live media in one statement. A broken cursor counts as the first page. */
export async function listMedia(
  type: MediaType,
  filters: ListFilters,
  page: PageRequest = { after: null, before: null },
  viewerId: string | null = null,
): Promise<MediaPage> {
  const position = positionOf(ORDERS[filters.sort], page);
  const direction = directionOf(position);
  const database = filters.q ? searchDb : listDb;
  const search = filters.exact ? null : filters.q;
  const found = await database.execute<Row | NoRow>(sql`
    WITH page AS MATERIALIZED (${await positionsOf(type, filters, viewerId, position)})
    SELECT ${cardColumns(viewerId)}, page.sort_value::text AS sort_value, otherwise.better
    FROM (
      SELECT CASE WHEN NOT EXISTS (SELECT FROM page) THEN ${search ? corrections(search) : sql`NULL`} END AS better
    ) otherwise
    LEFT JOIN (page JOIN media m ON m.id = page.id) ON true
    ORDER BY page.sort_value ${direction}, m.id ${direction}
  `);
  const better = found[0]?.better;
  return {
    ...pageOf(
      found.filter((row): row is Row => row.id !== null),
      position,
    ),
    corrected: search && better ? withCorrections(search, better) : null,
  };
}

async function positionsOf(
  type: MediaType,
  filters: ListFilters,
  viewerId: string | null,
  position: Position<Order>,
): Promise<SQL> {
  const words = filters.q ? searchTerms(filters.q) : [];
  const options = await listFilterOptions(type);
  const terms = termsOf(filters, words ?? [], options);
  const seen = viewerId ? filters.seen : null;
  if (words === null || seen === "seen") {
    return scanMedia(type, terms, { search: words === null ? filters.q : null, seen, viewerId }, position);
  }
  const unseenBy = seen === "unseen" ? viewerId : null;
  if (terms.length < 2) return walkTerms(type, [...terms, ALL].slice(0, 1), unseenBy, position);
  const shares = await cachedShares(JSON.stringify({ ...filters, sort: null }), () => sharesOf(terms));
  if (words.length > 1 && walkLength(shares) > WALK_LIMIT) {
    const rest = termsOf(filters, [], options);
    return scanMedia(type, rest, { search: filters.q, seen, viewerId }, position);
  }
  return walkTerms(type, rarestFirst(terms, shares), unseenBy, position);
}

/** Words that must all occur; null for quotes, "or", "-" and letters of other scripts. */
export function searchTerms(search: string): string[] | null {
  const words = [...new Set(search.trim().split(/\s+/))];
  return words.every((word) => PLAIN.test(word) && word.toLowerCase() !== "or") ? words : null;
}

function rarestFirst(terms: SQL[], shares: number[]): SQL[] {
  const order = terms.map((term, index) => ({ term, share: shares[index] ?? 0 }));
  return order.sort((a, b) => a.share - b.share).map(({ term }) => term);
}

/** Expected number of rows of the rarest term per page, if the terms are independent. */
function walkLength(shares: number[]): number {
  const [, ...others] = shares.toSorted((a, b) => a - b);
  return PAGE_SIZE / others.reduce((product, share) => product * share, 1);
}
