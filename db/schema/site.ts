import { jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Settings of the installation that must stay with its database, one row per name. */
export const siteSettings = pgTable("site_settings", {
  name: text("name").primaryKey(),
  value: jsonb("value").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
});
