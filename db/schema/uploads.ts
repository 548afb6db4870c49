import { sql } from "drizzle-orm";
import { bigint, boolean, index, pgEnum, pgTable, real, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./auth.ts";
import { media } from "./catalog.ts";

/** Files that a person chose together, and that are imported together. */
export const uploadBatches = pgTable(
  "upload_batches",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
    /** Imports begun; given back if the worker was stopped meanwhile. */
    attempts: bigint("attempts", { mode: "number" }).notNull().default(0),
    beganAt: timestamp("began_at", { withTimezone: true }),
    /** 0 to 1. */
    takenPart: real("taken_part").notNull().default(0),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    /** Why nothing of it could be imported. */
    problem: text("problem"),
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
  /** An item with this content already existed. */
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
    /** Folders and name as chosen, with "/" between them. */
    path: text("path").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** Bytes that are certainly on the disk. */
    receivedBytes: bigint("received_bytes", { mode: "number" }).notNull().default(0),
    /** A browser recognizes the same file by it when it is chosen again. */
    fingerprint: text("fingerprint").notNull(),
    state: uploadState("state").notNull().default("uploading"),
    /** Why it was refused or skipped, or what was odd about it. */
    note: text("note"),
    mediaId: uuid("media_id").references(() => media.id, { onDelete: "set null" }),
    /** The request that writes to it, until its lease ends by the database's clock. */
    lockToken: uuid("lock_token"),
    lockedUntil: timestamp("locked_until", { withTimezone: true }),
    isLockWanted: boolean("is_lock_wanted").notNull().default(false),
  },
  (table) => [
    index("uploads_batch").on(table.batchId, table.position),
    index("uploads_media").on(table.mediaId),
    index("uploads_awaited").on(table.batchId).where(sql`state = 'uploading'`),
  ],
);
