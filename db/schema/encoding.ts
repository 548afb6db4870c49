import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { media } from "./catalog.ts";

export const workState = pgEnum("media_work_state", ["waiting", "running", "done", "failed", "cancelled"]);

/** The files that the worker makes of a video; a later run takes its place: decision 159. */
export const mediaEncodings = pgTable("media_encodings", {
  mediaId: uuid("media_id")
    .primaryKey()
    .references(() => media.id, { onDelete: "cascade" }),
  /** New for each run, so that a step of an earlier run writes nothing. */
  run: uuid("run").notNull().defaultRandom(),
  /** Of all files of this run; null until its first step has read the source. */
  version: bigint("version", { mode: "number" }),
  /** The host keeps no originals: this one goes when all steps are done. */
  dropsOriginal: boolean("drops_original").notNull().default(false),
  /** What the first step found out about the source, for all others. */
  source: jsonb("source").$type<Record<string, unknown>>(),
  queuedAt: timestamp("queued_at", { withTimezone: true }).notNull().defaultNow(),
});

export const mediaWork = pgTable(
  "media_work",
  {
    mediaId: uuid("media_id")
      .notNull()
      .references(() => mediaEncodings.mediaId, { onDelete: "cascade" }),
    /** "source", or the beginning of a file's name, such as "rung-720". */
    step: text("step").notNull(),
    position: bigint("position", { mode: "number" }).notNull(),
    after: text("after").array().notNull().default([]),
    /** The files that are replaced together when all their steps are done; null for a step without files. */
    fileGroup: text("file_group"),
    state: workState("state").notNull().default("waiting"),
    /** 0 to 100. */
    percent: bigint("percent", { mode: "number" }).notNull().default(0),
    /** Of a failed try, or the warnings of a finished step; without paths and titles. */
    lastLines: text("last_lines").array().notNull().default([]),
    /** Counted at the start of a try. */
    attempts: bigint("attempts", { mode: "number" }).notNull().default(0),
    /** The runner's number; its connection holds an advisory lock of this number. */
    claimedBy: bigint("claimed_by", { mode: "number" }),
    dueAt: timestamp("due_at", { withTimezone: true }).notNull().defaultNow(),
    /** Rows of media_files, inserted when the whole group is done. */
    made: jsonb("made").$type<Record<string, unknown>[]>().notNull().default([]),
    seconds: doublePrecision("seconds"),
    startedAt: timestamp("started_at", { withTimezone: true }),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.mediaId, table.step] }),
    index("media_work_open").on(table.dueAt).where(sql`state IN ('waiting', 'running')`),
    index("media_work_failed").on(table.mediaId).where(sql`state = 'failed'`),
    index("media_work_done").on(table.updatedAt).where(sql`state = 'done'`),
  ],
);

/** The part of a video that everybody past the age gate may see: decision 166. */
export const mediaTrailers = pgTable(
  "media_trailers",
  {
    mediaId: uuid("media_id")
      .primaryKey()
      .references(() => media.id, { onDelete: "cascade" }),
    fromSeconds: doublePrecision("from_seconds").notNull(),
    toSeconds: doublePrecision("to_seconds").notNull(),
    /** Of the files made from this range; new each time they are to be made. */
    version: bigint("version", { mode: "number" }).notNull(),
  },
  (table) => [
    check(
      "media_trailers_range",
      sql`${table.fromSeconds} >= 0 AND ${table.toSeconds} > ${table.fromSeconds}`,
    ),
  ],
);
