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
  /** Another one each time, so that a step of an earlier run writes nothing. */
  run: uuid("run").notNull().defaultRandom(),
  /** The version of all files of this run; null until its first step has read the source. */
  version: bigint("version", { mode: "number" }),
  /** The host keeps no originals: this one goes when all steps are done. */
  dropsOriginal: boolean("drops_original").notNull().default(false),
  /** The findings of the first step about the source, for all others. */
  source: jsonb("source").$type<Record<string, unknown>>(),
  queuedAt: timestamp("queued_at", { withTimezone: true }).notNull().defaultNow(),
});

/** One step of a run, mostly one file. */
export const mediaWork = pgTable(
  "media_work",
  {
    mediaId: uuid("media_id")
      .notNull()
      .references(() => mediaEncodings.mediaId, { onDelete: "cascade" }),
    /** "source", or the beginning of a file's name, such as "rung-720". */
    step: text("step").notNull(),
    position: bigint("position", { mode: "number" }).notNull(),
    /** Steps that have to be done before it. */
    after: text("after").array().notNull().default([]),
    /** The group of files that is replaced when all of its steps are done; null for a step without files. */
    fileGroup: text("file_group"),
    state: workState("state").notNull().default("waiting"),
    /** The part of this try that is done, 0 to 100. */
    percent: bigint("percent", { mode: "number" }).notNull().default(0),
    /** The last lines of a try that failed, or the warnings of a step that is done; without paths and titles. */
    lastLines: text("last_lines").array().notNull().default([]),
    /** Counted at the start of a try. */
    attempts: bigint("attempts", { mode: "number" }).notNull().default(0),
    /** The number of the runner that works on it: its connection holds an advisory lock of this number. */
    claimedBy: bigint("claimed_by", { mode: "number" }),
    /** Not before this time. */
    dueAt: timestamp("due_at", { withTimezone: true }).notNull().defaultNow(),
    /** Rows of media_files that are inserted when the whole group is done. */
    made: jsonb("made").$type<Record<string, unknown>[]>().notNull().default([]),
    /** Time that the try which was done took. */
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

/** The part of a video that everybody past the gate may see: decision 166. */
export const mediaTrailers = pgTable(
  "media_trailers",
  {
    mediaId: uuid("media_id")
      .primaryKey()
      .references(() => media.id, { onDelete: "cascade" }),
    fromSeconds: doublePrecision("from_seconds").notNull(),
    toSeconds: doublePrecision("to_seconds").notNull(),
    /** The files that are made of this range have it: another one each time that they are to be made. */
    version: bigint("version", { mode: "number" }).notNull(),
  },
  (table) => [
    check(
      "media_trailers_range",
      sql`${table.fromSeconds} >= 0 AND ${table.toSeconds} > ${table.fromSeconds}`,
    ),
  ],
);
