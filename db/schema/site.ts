import { bigint, jsonb, pgEnum, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { storagePlace } from "./catalog-files.ts";

/** Settings of the owner, and of the installation where they must stay with its database. */
export const siteSettings = pgTable("site_settings", {
  name: text("name").primaryKey(),
  value: jsonb("value").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
});

export const siteFileKind = pgEnum("site_file_kind", ["logo", "icon", "share"]);

/** Pictures of the site itself, served at /site/<version>/<name> to everyone, even before the age gate. */
export const siteFiles = pgTable(
  "site_files",
  {
    kind: siteFileKind("kind").notNull(),
    /** New for each upload, so that an address never changes its bytes. */
    version: text("version").notNull(),
    name: text("name").notNull(),
    storageKey: text("storage_key").notNull(),
    storage: storagePlace(),
    contentType: text("content_type").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
    sha256: text("sha256").notNull(),
    width: bigint("width", { mode: "number" }).notNull(),
    height: bigint("height", { mode: "number" }).notNull(),
    /** The upload, or the save that replaced the picture: unused files are deleted some time after it. */
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.version, table.name] })],
);
