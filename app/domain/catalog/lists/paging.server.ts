import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";

export const PAGE_SIZE = 24;

const CURSOR_LENGTH_LIMIT = 1_000;
const cursor = z.tuple([z.string().max(400, { abort: true }), z.uuid()]);

/** The sort column's value as text, and the id. */
type Cursor = z.infer<typeof cursor>;

export function encodeCursor(position: Cursor): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function decodeCursor(text: string | null): Cursor | null {
  if (!text || text.length > CURSOR_LENGTH_LIMIT) return null;
  try {
    const position = cursor.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    return position.success && !position.data[0].includes("\0") ? position.data : null;
  } catch {
    return null;
  }
}

export interface PageRequest {
  after: string | null;
  before: string | null;
}

export interface SortKey {
  column: SQL;
  cast: SQL;
  descending: boolean;
  /** Whether a cursor's text can be cast to it. */
  isValue(text: string): boolean;
}

export interface Position {
  key: SortKey;
  cursor: Cursor | null;
  isDown: boolean;
  limit: number;
}

/** A broken cursor counts as the first page. One more row than a page shows whether another page follows. */
export function positionOf(key: SortKey, request: PageRequest, pageSize = PAGE_SIZE): Position {
  const usable = (cursor: Cursor | null) => (cursor && key.isValue(cursor[0]) ? cursor : null);
  const after = usable(decodeCursor(request.after));
  const before = after ? null : usable(decodeCursor(request.before));
  const isDown = before ? !key.descending : key.descending;
  return { key, cursor: after ?? before, isDown, limit: pageSize + 1 };
}

/** Ends a statement, after its conditions: the rows beyond the cursor, in order. `id` is the id of the statement's table. */
export function beyond({ key, cursor, isDown, limit }: Position, id: SQL): SQL {
  const { column } = key;
  const direction = directionOf({ isDown });
  const condition = cursor
    ? sql`AND (${column}, ${id}) ${isDown ? sql`<` : sql`>`} (${cursor[0]}::${key.cast}, ${cursor[1]}::uuid)`
    : sql``;
  return sql`${condition} ORDER BY ${column} ${direction}, ${id} ${direction} LIMIT ${limit}`;
}

export function directionOf({ isDown }: Pick<Position, "isDown">): SQL {
  return isDown ? sql`DESC` : sql`ASC`;
}

/** The page in its usual order, even if it was read backwards, with the cursors of the pages beside it. */
export function pageOf<Row extends { id: string; sort_value: string }>(
  found: Row[],
  { key, cursor, isDown, limit }: Position,
  idOf = (row: Row) => row.id,
): { rows: Row[]; next: string | null; previous: string | null } {
  const isBackward = isDown !== key.descending;
  const hasMore = found.length >= limit;
  const rows = found.slice(0, limit - 1);
  if (isBackward) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    rows,
    next: last && (hasMore || isBackward) ? encodeCursor([last.sort_value, idOf(last)]) : null,
    previous:
      first && cursor && (hasMore || !isBackward) ? encodeCursor([first.sort_value, idOf(first)]) : null,
  };
}

const DATE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](0\d|1[0-4])(:?[0-5]\d)?$/;

/** A timestamp as PostgreSQL writes it, on a day that exists. */
export function isDate(text: string): boolean {
  const [, day, time] = DATE.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`);
}

export function isWhole(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}
