import { bigint, jsonb, pgEnum, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** Settings of the installation that must stay with its database, and those of the owner: one row per name. */
export const siteSettings = pgTable("site_settings", {
  name: text("name").primaryKey(),
  value: jsonb("value").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
});

export const siteFileKind = pgEnum("site_file_kind", ["logo", "icon", "share"]);

/** The pictures of the site itself: served at /site/<version>/<name> to everyone, before the age gate as well. */
export const siteFiles = pgTable(
  "site_files",
  {
    kind: siteFileKind("kind").notNull(),
    /** Different for each upload, so that an address never changes its bytes. */
    version: text("version").notNull(),
    name: text("name").notNull(),
    storageKey: text("storage_key").notNull(),
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
