import { type SQL, sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { cardColumns } from "./card-rows.server.ts";
import type { CardRow } from "./card-view.ts";
import { type Cursor, decodeCursor, encodeCursor } from "./cursor.server.ts";
import { type FilterOption, type FilterOptions, listFilterOptions } from "./filter-options.server.ts";
import { LENGTH_BANDS, type ListFilters, type Sort } from "./list-filters.ts";
import { isLive } from "./visibility.server.ts";

export const PAGE_SIZE = 24;

interface Order {
  column: SQL;
  cast: SQL;
  descending: boolean;
  isValue(text: string): boolean;
}

const isDate = (text: string) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:?\d\d)?$/.test(text);
const isNumber = (text: string) => /^\d{1,15}(\.\d{1,20})?$/.test(text);
const published = { column: sql`m.publish_at`, cast: sql`timestamptz`, isValue: isDate };

/** Each has an index of its own, written with the very same expression. */
const ORDERS: Record<Sort, Order> = {
  newest: { ...published, descending: true },
  oldest: { ...published, descending: false },
  "most-watched": { column: sql`m.play_count`, cast: sql`bigint`, descending: true, isValue: isNumber },
  longest: {
    column: sql`(COALESCE(m.duration_seconds, m.photo_count, 0)::float8)`,
    cast: sql`float8`,
    descending: true,
    isValue: isNumber,
  },
  title: {
    column: sql`left(lower(f_unaccent(m.title)), 100)`,
    cast: sql`text`,
    descending: false,
    isValue: () => true,
  },
};

export interface PageRequest {
  after: string | null;
  before: string | null;
}

export interface MediaPage {
  rows: CardRow[];
  /** Cursors for `after` and `before`; null at the end of the list. */
  next: string | null;
  previous: string | null;
}

/** A page of live media of one type: one statement, whatever is asked. A broken cursor counts as the first page. */
export async function listMedia(
  type: MediaType,
  filters: ListFilters,
  page: PageRequest = { after: null, before: null },
  viewerId: string | null = null,
): Promise<MediaPage> {
  const order = ORDERS[filters.sort];
  const after = usable(order, decodeCursor(page.after));
  const before = after ? null : usable(order, decodeCursor(page.before));
  const cursor = after ?? before;
  const descending = before ? !order.descending : order.descending;
  const direction = descending ? sql`DESC` : sql`ASC`;
  const place = cursor
    ? sql`AND (${order.column}, m.id) ${descending ? sql`<` : sql`>`} (${cursor[0]}::${order.cast}, ${cursor[1]}::uuid)`
    : sql``;
  const where = conditions(type, filters, viewerId, await listFilterOptions(type));
  const found = await db.execute<CardRow & { sort_value: string }>(sql`
    SELECT ${cardColumns(viewerId)}, ${order.column}::text AS sort_value
    FROM (
      SELECT m.* FROM media m
      WHERE m.type = ${type} AND ${isLive} ${where} ${place}
      ORDER BY ${order.column} ${direction}, m.id ${direction}
      LIMIT ${PAGE_SIZE + 1}
    ) m
    ORDER BY ${order.column} ${direction}, m.id ${direction}
  `);
  const hasMore = found.length > PAGE_SIZE;
  const rows = found.slice(0, PAGE_SIZE);
  if (before) rows.reverse();
  const cursorOf = (row: (typeof rows)[number] | undefined) =>
    row ? encodeCursor([row.sort_value, row.id]) : null;
  return {
    rows,
    next: hasMore || before ? cursorOf(rows.at(-1)) : null,
    previous: after || (before && hasMore) ? cursorOf(rows[0]) : null,
  };
}

function usable(order: Order, cursor: Cursor | null): Cursor | null {
  return cursor && order.isValue(cursor[0]) ? cursor : null;
}

function conditions(
  type: MediaType,
  filters: ListFilters,
  viewerId: string | null,
  options: FilterOptions,
): SQL {
  const parts: SQL[] = [sql``];
  if (filters.creator) {
    parts.push(sql`EXISTS (SELECT FROM media_creators mc WHERE mc.media_id = m.id
      AND mc.creator_id = ${idOf(options.creators, filters.creator, sql`creators`)})`);
  }
  if (filters.tag) {
    parts.push(sql`EXISTS (SELECT FROM media_tags mt WHERE mt.media_id = m.id
      AND mt.tag_id = ${idOf(options.tags, filters.tag, sql`tags`)})`);
  }
  if (filters.access) parts.push(sql`m.access = ${filters.access}`);
  if (filters.length) parts.push(lengthCondition(type, filters.length));
  if (filters.q) parts.push(sql`m.search @@ websearch_to_tsquery('simple', f_unaccent(${filters.q}))`);
  if (filters.seen && viewerId) {
    parts.push(sql`${filters.seen === "seen" ? sql`` : sql`NOT`} EXISTS (SELECT FROM views v
      WHERE v.media_id = m.id AND v.user_id = ${viewerId} AND v.completed_at IS NOT NULL)`);
  }
  return sql.join(parts, sql` AND `);
}

/** A known id lets the database see whether the filter is a common or a rare one, and choose its way by that. */
function idOf(options: FilterOption[], slug: string, table: SQL): SQL {
  const known = options.find((option) => option.slug === slug);
  return known ? sql`${known.id}::uuid` : sql`(SELECT id FROM ${table} WHERE slug = ${slug})`;
}

function lengthCondition(type: MediaType, length: NonNullable<ListFilters["length"]>): SQL {
  const extent = ORDERS.longest.column;
  const [medium, long] = LENGTH_BANDS[type];
  if (length === "short") return sql`${extent} < ${medium}`;
  if (length === "long") return sql`${extent} >= ${long}`;
  return sql`${extent} >= ${medium} AND ${extent} < ${long}`;
}
