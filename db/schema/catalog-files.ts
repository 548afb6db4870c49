import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { creators, media } from "./catalog.ts";

const STORAGE_PLACES = ["folder", "store"] as const;

/** Where a file is stored; its key is the same in both. */
export function storagePlace() {
  return text("storage", { enum: STORAGE_PLACES }).notNull().default("folder");
}

export const mediaRight = pgEnum("media_right", ["see", "preview", "view", "download", "edit"]);

/** Without paths, titles and places. Sizes are upright. */
export type OriginalProbe =
  | {
      kind: "video";
      /** ffmpeg's names, as are those of the codecs. */
      container: string;
      codec: string;
      pixelFormat: string | null;
      width: number;
      height: number;
      rotation: number;
      seconds: number;
      sound: string | null;
    }
  | { kind: "photo"; format: string; width: number; height: number };

/** Every file that paths.mediaFile() names, and the right that a viewer needs for it: decision 157. */
export const mediaFiles = pgTable(
  "media_files",
  {
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    /** 0 for an item's first files; from 1 on, part of the URL and the storage key. */
    version: integer("version").notNull().default(0),
    /** The last part of the URL, such as "cover-480.avif" or "photo-3-960.webp". */
    name: text("name").notNull(),
    /** When another file took its place; null for the current one. */
    retiredAt: timestamp("retired_at", { withTimezone: true }),
    /** Path below the media folder, or the object's key. */
    storageKey: text("storage_key").notNull(),
    storage: storagePlace(),
    contentType: text("content_type").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    /** sha256 (hex) of the bytes: the strong ETag. */
    sha256: text("sha256").notNull(),
    crc32: bigint("crc32", { mode: "number" }).notNull(),
    needs: mediaRight("needs").notNull(),
    width: integer("width"),
    height: integer("height"),
    /** BCP 47 language and label, for captions. */
    language: text("language"),
    label: text("label"),
    /** For playlists only: bits per second of the largest segment, and the codecs. */
    bandwidth: bigint("bandwidth", { mode: "number" }),
    codecs: text("codecs"),
  },
  (table) => [
    primaryKey({ columns: [table.mediaId, table.version, table.name] }),
    uniqueIndex("media_files_current").on(table.mediaId, table.name).where(sql`retired_at IS NULL`),
    // Which items have a cover, by its smallest file, and captions.
    index("media_files_captions").on(table.mediaId).where(sql`name LIKE 'captions-%' AND retired_at IS NULL`),
    index("media_files_covers").on(table.mediaId).where(sql`name = 'cover-480.avif' AND retired_at IS NULL`),
    index("media_files_retired").on(table.retiredAt).where(sql`retired_at IS NOT NULL`),
  ],
);

/** Only the studio serves them, to people with the right `media.original`: decision 158. */
export const mediaOriginals = pgTable(
  "media_originals",
  {
    storageKey: text("storage_key").primaryKey(),
    storage: storagePlace(),
    mediaId: uuid("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    photoNumber: bigint("photo_number", { mode: "number" }),
    /** Hex. */
    sha256: text("sha256").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    fileName: text("file_name").notNull(),
    probe: jsonb("probe").$type<OriginalProbe>().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique("media_originals_media_photo").on(table.mediaId, table.photoNumber).nullsNotDistinct()],
);

/** Copies that a move has left where the files were, for a week. */
export const movedFiles = pgTable(
  "moved_files",
  {
    storageKey: text("storage_key").notNull(),
    /** Where the copy is. */
    storage: storagePlace(),
    movedAt: timestamp("moved_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.storageKey, table.storage] })],
);

/** Portraits: served at /media/creators/<creatorId>/<name> to everyone past the age gate. */
export const creatorFiles = pgTable(
  "creator_files",
  {
    creatorId: uuid("creator_id")
      .notNull()
      .references(() => creators.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    storageKey: text("storage_key").notNull(),
    storage: storagePlace(),
    contentType: text("content_type").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    sha256: text("sha256").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
  },
  (table) => [primaryKey({ columns: [table.creatorId, table.name] })],
);
