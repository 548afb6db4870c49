import { sql } from "drizzle-orm";
import { boolean, check, doublePrecision, integer, pgTable } from "drizzle-orm/pg-core";

/** One row: totals of what is published, updated whenever that changes. */
export const catalogTotals = pgTable(
  "catalog_totals",
  {
    id: boolean("id").primaryKey().default(true),
    videos: integer("videos").notNull(),
    videoSeconds: doublePrecision("video_seconds").notNull(),
    photoSets: integer("photo_sets").notNull(),
    photos: integer("photos").notNull(),
    /** Counts creators with anything published. */
    creators: integer("creators").notNull(),
  },
  () => [check("catalog_totals_one_row", sql`id`)],
);
