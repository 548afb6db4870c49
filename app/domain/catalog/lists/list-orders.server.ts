import { sql } from "drizzle-orm";
import { extent } from "../media/media.server.ts";
import type { Sort } from "./list-filters.ts";
import { isDate, isWhole, type SortKey } from "./paging.server.ts";

const isNumber = (text: string) => /^\d{1,15}(\.\d{1,20})?$/.test(text);
const byDate = { column: sql`m.publish_at`, cast: sql`timestamptz`, isValue: isDate };

/** Each has an index on exactly this expression. */
export const ORDERS: Record<Sort, SortKey> = {
  newest: { ...byDate, descending: true },
  oldest: { ...byDate, descending: false },
  "most-watched": { column: sql`m.ranked_plays`, cast: sql`bigint`, descending: true, isValue: isWhole },
  longest: { column: extent, cast: sql`float8`, descending: true, isValue: isNumber },
  title: { column: sql`m.sort_title`, cast: sql`text`, descending: false, isValue: () => true },
};
