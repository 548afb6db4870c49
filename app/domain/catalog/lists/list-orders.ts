import { type SQL, sql } from "drizzle-orm";
import type { Sort } from "./list-filters.ts";
import { isDate, isWhole, type SortKey } from "./paging.server.ts";

/** `column` is of media_terms, `ofMedia` the same of media. */
export interface Order extends SortKey {
  ofMedia: SQL;
}

const isNumber = (text: string) => /^\d{1,15}(\.\d{1,20})?$/.test(text);
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
