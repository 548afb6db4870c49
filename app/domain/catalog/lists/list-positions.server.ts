import { type SQL, sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import { isLive, isLiveTerm } from "../media/visibility.server.ts";
import type { Cursor } from "./cursor.server.ts";
import type { ListFilters } from "./list-filters.ts";
import type { Order } from "./list-orders.ts";
import { hasTerm } from "./list-terms.server.ts";

export interface Position {
  order: Order;
  cursor: Cursor | null;
  isDown: boolean;
  limit: number;
}

/** A page's `id` and `sort_value`, read along the first term's index; the other terms are checked row by row. */
export function walkTerms(
  type: MediaType,
  [driver, ...others]: SQL[],
  unseenBy: string | null,
  position: Position,
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
  const { column } = position.order;
  return sql`SELECT ${id} AS id, ${column} AS sort_value FROM media_terms t
    WHERE ${sql.join(conditions, sql` AND `)} ${pageOf(position, column, id)}`;
}

interface ScanFilters {
  search: string | null;
  seen: ListFilters["seen"];
  viewerId: string | null;
}

/** Sorts all matches: better for one person's seen media, words that are rare together, and searches with operators. */
export function scanMedia(
  type: MediaType,
  terms: SQL[],
  { search, seen, viewerId }: ScanFilters,
  position: Position,
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
  const column = position.order.ofMedia;
  return sql`SELECT ${id} AS id, ${column} AS sort_value FROM ${from}
    WHERE ${sql.join(conditions, sql` AND `)} ${pageOf(position, column, id)}`;
}

function pageOf({ order, cursor, isDown, limit }: Position, column: SQL, id: SQL): SQL {
  const direction = isDown ? sql`DESC` : sql`ASC`;
  const beyond = cursor
    ? sql`AND (${column}, ${id}) ${isDown ? sql`<` : sql`>`} (${cursor[0]}::${order.cast}, ${cursor[1]}::uuid)`
    : sql``;
  return sql`${beyond} ORDER BY ${column} ${direction}, ${id} ${direction} LIMIT ${limit}`;
}
