import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { media, mediaType } from "./catalog.ts";

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

/**
 * One row per term that a published media is listed by: all of its type, access, length, creator, tag, creator with
 * tag, word. Each row has the sort keys, so that any list is an index scan. Triggers of the migration write it;
 * expired rows are removed and the ranking by plays is updated apart from them.
 */
export const mediaTerms = pgTable(
  "media_terms",
  {
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    /** list_term() of the term's name. */
    term: bigint("term", { mode: "bigint" }).notNull(),
    type: mediaType("type").notNull(),
    publishAt: timestamp("publish_at", { withTimezone: true }).notNull(),
    expireAt: timestamp("expire_at", { withTimezone: true }),
    /** At the last ranking. */
    playCount: integer("play_count").notNull(),
    /** Seconds of a video, or number of photos. */
    extent: doublePrecision("extent").notNull(),
    /** Lower case without accents, truncated for sorting. */
    title: text("title").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.mediaId, table.term] }),
    index("media_terms_newest").on(table.term, table.type, table.publishAt, table.mediaId),
    index("media_terms_watched").on(table.term, table.type, table.playCount, table.mediaId),
    index("media_terms_longest").on(table.term, table.type, table.extent, table.mediaId),
    index("media_terms_title").on(table.term, table.type, table.title, table.mediaId),
    index("media_terms_expiring").on(table.expireAt).where(sql`expire_at IS NOT NULL`),
  ],
);

/** One row per term that the studio lists an item by, published or not; media_problems() and the triggers write it. */
export const studioTerms = pgTable(
  "studio_terms",
  {
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    /** list_term() of the term's name. */
    term: bigint("term", { mode: "bigint" }).notNull(),
    changedAt: timestamp("changed_at", { withTimezone: true }).notNull(),
    /** "-infinity" without a plan. */
    publishAt: timestamp("publish_at", { withTimezone: true }).notNull(),
    /** Lower case without accents, truncated for sorting. */
    title: text("title").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.mediaId, table.term] }),
    index("studio_terms_changed").on(table.term, table.changedAt, table.mediaId),
    index("studio_terms_planned").on(table.term, table.publishAt, table.mediaId),
    index("studio_terms_title").on(table.term, table.title, table.mediaId),
  ],
);
