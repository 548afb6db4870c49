import { type SQL, sql } from "drizzle-orm";
import type { Sort } from "./list-filters.ts";

export interface Order {
  column: SQL;
  ofMedia: SQL;
  cast: SQL;
  descending: boolean;
  /** Whether a cursor's text can be cast to it. */
  isValue(text: string): boolean;
}

const DATE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](0\d|1[0-4])(:?[0-5]\d)?$/;
const isNumber = (text: string) => /^\d{1,15}(\.\d{1,20})?$/.test(text);
export const isWhole = (text: string) => /^\d{1,15}$/.test(text);
const published = {
  column: sql`t.publish_at`,
  ofMedia: sql`m.publish_at`,
  cast: sql`timestamptz`,
  isValue: isDate,
};

export const ORDERS: Record<Sort, Order> = {
  newest: { ...published, descending: true },
  oldest: { ...published, descending: false },
  "most-watched": {
    column: sql`t.play_count`,
    ofMedia: sql`m.play_count`,
    cast: sql`bigint`,
    descending: true,
    isValue: isWhole,
  },
  longest: {
    column: sql`t.extent`,
    ofMedia: sql`COALESCE(m.duration_seconds, m.photo_count, 0)::float8`,
    cast: sql`float8`,
    descending: true,
    isValue: isNumber,
  },
  title: {
    column: sql`t.title`,
    ofMedia: sql`left(lower(f_unaccent(m.title)), 100)`,
    cast: sql`text`,
    descending: false,
    isValue: () => true,
  },
};

/** A timestamp as Postgres writes it, with an existing day. */
export function isDate(text: string): boolean {
  const [, day, time] = DATE.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`);
}
