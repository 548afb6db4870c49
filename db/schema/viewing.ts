import {
  bigint,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "./auth.ts";
import { media } from "./catalog.ts";

export const views = pgTable(
  "views",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Seconds of a video, or the position of the last photo of a set. */
    progress: doublePrecision("progress").notNull().default(0),
    /** Of the last report, even if a rule keeps another; watched time is counted from it. */
    reportedProgress: doublePrecision("reported_progress").notNull().default(0),
    /** Milliseconds since 1970 in server time. A lower report is late and ignored. */
    sequence: bigint("sequence", { mode: "number" }).notNull().default(0),
    completedAt: timestamp("completed_at", { withTimezone: true }),
    playCount: integer("play_count").notNull().default(1),
    /** Number of the last play that counted as completed; 0 for none. */
    completedPlay: integer("completed_play").notNull().default(0),
    lastViewedAt: timestamp("last_viewed_at", { withTimezone: true }).notNull().defaultNow(),
    /** Set by "Remove" in Continue; cleared when it is played again. */
    hiddenAt: timestamp("hidden_at", { withTimezone: true }),
  },
  (table) => [
    unique("views_user_media").on(table.userId, table.mediaId),
    index("views_user_last_viewed").on(table.userId, table.lastViewedAt.desc(), table.id),
    index("views_media_id").on(table.mediaId),
  ],
);

/** Apart from media, because most reports of progress write this, and edits lock the rows of media. */
export const mediaCounts = pgTable("media_counts", {
  mediaId: uuid("media_id")
    .primaryKey()
    .references(() => media.id, { onDelete: "cascade" }),
  /** Time in which a video's progress moved. */
  watchedSeconds: doublePrecision("watched_seconds").notNull(),
  completions: integer("completions").notNull(),
});

/** The parts of media's counts that the daily totals include. */
export const countedMedia = pgTable("counted_media", {
  mediaId: uuid("media_id")
    .primaryKey()
    .references(() => media.id, { onDelete: "cascade" }),
  plays: integer("plays").notNull(),
  completions: integer("completions").notNull(),
  /** Whole seconds; the rest is counted later. */
  watchedSeconds: bigint("watched_seconds", { mode: "number" }).notNull(),
});

/** Slots of running videos, as leases. Unlogged, because no playback survives a crash of the database. */
export const videoSlots = pgTable(
  "video_slots",
  {
    /**
     * A member's id, or one derived from a signed-out visitor's network. No foreign key: its check would lock
     * the member's row on every range request.
     */
    holderId: uuid("holder_id").notNull(),
    /** From 1 to the holder's limit. */
    slot: smallint("slot").notNull(),
    leaseId: uuid("lease_id").notNull(),
    /** The set whose ZIP is being sent, so that its download may go on; null for a video. */
    sent: text("sent"),
    renewedAt: timestamp("renewed_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.holderId, table.slot] })],
);
