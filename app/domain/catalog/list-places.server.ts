import { type SQL, sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import type { Cursor } from "./cursor.server.ts";
import type { ListFilters } from "./list-filters.ts";
import type { Order } from "./list-orders.ts";
import { hasTerm } from "./list-terms.server.ts";
import { isLive, isLiveTerm } from "./visibility.server.ts";

/** From where, in which direction and how far a page reads. */
export interface Place {
  order: Order;
  cursor: Cursor | null;
  isDown: boolean;
  limit: number;
}

/** A page's media as `id` and `sort_value`, read along the first term's index; the others are asked for row by row. */
export function walkTerms(
  type: MediaType,
  [driver, ...others]: SQL[],
  unseenBy: string | null,
  place: Place,
): SQL {
  const id = sql`t.media_id`;
  const conditions = [
    sql`t.term = ${driver} AND t.type = ${type} AND ${isLiveTerm}`,
    ...others.map((term) => hasTerm(id, term)),
    ...(unseenBy
      ? [
          sql`COALESCE((SELECT v.completed_at IS NULL FROM views v
            WHERE v.user_id = ${unseenBy} AND v.media_id = t.media_id), true)`,
        ]
      : []),
  ];
  const { column } = place.order;
  return sql`SELECT ${id} AS id, ${column} AS sort_value FROM media_terms t
    WHERE ${sql.join(conditions, sql` AND `)} ${pageOf(place, column, id)}`;
}

interface ScanFilters {
  /** In Postgres' web search syntax. */
  search: string | null;
  seen: ListFilters["seen"];
  viewerId: string | null;
}

/**
 * The same by finding all matches and sorting them: for what one person has seen, which is little, for words that are
 * rare together, and for searches that say more than words.
 */
export function scanMedia(
  type: MediaType,
  terms: SQL[],
  { search, seen, viewerId }: ScanFilters,
  place: Place,
): SQL {
  const id = sql`m.id`;
  const conditions = [sql`m.type = ${type} AND ${isLive}`, ...terms.map((term) => hasTerm(id, term))];
  if (search) conditions.push(sql`m.search @@ websearch_to_tsquery('simple', f_unaccent(${search}))`);
  const completed = sql`SELECT v.media_id FROM views v WHERE v.user_id = ${viewerId} AND v.completed_at IS NOT NULL`;
  if (seen === "unseen" && viewerId) conditions.push(sql`m.id NOT IN (${completed})`);
  const from =
    seen === "seen" && viewerId
      ? sql`(${completed} OFFSET 0) seen JOIN media m ON m.id = seen.media_id`
      : sql`media m`;
  const column = place.order.ofMedia;
  return sql`SELECT ${id} AS id, ${column} AS sort_value FROM ${from}
    WHERE ${sql.join(conditions, sql` AND `)} ${pageOf(place, column, id)}`;
}

function pageOf({ order, cursor, isDown, limit }: Place, column: SQL, id: SQL): SQL {
  const direction = isDown ? sql`DESC` : sql`ASC`;
  const beyond = cursor
    ? sql`AND (${column}, ${id}) ${isDown ? sql`<` : sql`>`} (${cursor[0]}::${order.cast}, ${cursor[1]}::uuid)`
    : sql``;
  return sql`${beyond} ORDER BY ${column} ${direction}, ${id} ${direction} LIMIT ${limit}`;
}
