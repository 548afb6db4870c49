import { sql } from "drizzle-orm";
import { bigint, boolean, index, pgEnum, pgTable, real, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./auth.ts";
import { media } from "./catalog.ts";

/** The files that a person has chosen at once, which are taken in together. */
export const uploadBatches = pgTable(
  "upload_batches",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    /** When bytes came last, or the last step was made. */
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
    /** How often taking it in has begun; given back when the worker was stopped meanwhile. */
    attempts: bigint("attempts", { mode: "number" }).notNull().default(0),
    beganAt: timestamp("began_at", { withTimezone: true }),
    /** How much of it is taken in, 0 to 1. */
    takenPart: real("taken_part").notNull().default(0),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    /** A sentence: why none of it could be taken in. */
    problem: text("problem"),
    /** Whether its files are on the disk. */
    hasFiles: boolean("has_files").notNull().default(true),
  },
  (table) => [
    index("upload_batches_user").on(table.userId, table.createdAt),
    index("upload_batches_held").on(table.userId).where(sql`has_files`),
    index("upload_batches_open").on(table.createdAt).where(sql`ended_at IS NULL`),
  ],
);

export const uploadState = pgEnum("upload_state", [
  "uploading",
  "complete",
  "takenIn",
  /** An item with this content was there before. */
  "present",
  "passedOver",
  "refused",
]);

export const uploads = pgTable(
  "uploads",
  {
    id: uuid("id").primaryKey(),
    batchId: uuid("batch_id")
      .notNull()
      .references(() => uploadBatches.id, { onDelete: "cascade" }),
    position: bigint("position", { mode: "number" }).notNull(),
    /** Folders and name as they were chosen, with "/" between them. */
    path: text("path").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** How many of them are on the disk for certain. */
    receivedBytes: bigint("received_bytes", { mode: "number" }).notNull().default(0),
    /** By which a browser recognizes the same file when it is chosen again. */
    fingerprint: text("fingerprint").notNull(),
    state: uploadState("state").notNull().default("uploading"),
    /** Why it was refused or passed over, or what was found odd about it. */
    note: text("note"),
    mediaId: uuid("media_id").references(() => media.id, { onDelete: "set null" }),
    /** The request that writes to it, until its lease ends by the database's clock. */
    lockToken: uuid("lock_token"),
    lockedUntil: timestamp("locked_until", { withTimezone: true }),
    /** Another request waits for the lock. */
    isLockWanted: boolean("is_lock_wanted").notNull().default(false),
  },
  (table) => [
    index("uploads_batch").on(table.batchId, table.position),
    index("uploads_media").on(table.mediaId),
    index("uploads_awaited").on(table.batchId).where(sql`state = 'uploading'`),
  ],
);
