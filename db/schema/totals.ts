import { sql } from "drizzle-orm";
import { bigint, boolean, check, date, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** What happened on each day of the site, without persons; they outlive accounts and items. */
export const dailyTotals = pgTable(
  "daily_totals",
  {
    /** In the site's time zone. */
    day: date("day").notNull(),
    /** One of TotalKind. */
    kind: text("kind").notNull(),
    /** The id of an item, a creator or a price, "eur price_1" for money, or empty. No foreign key. */
    key: text("key").notNull().default(""),
    /** Plays, seconds, bytes, or the currency's smallest unit. */
    amount: bigint("amount", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.day, table.key] })],
);

/** One row: the day that counts without a date belong to, until the worker closes it. */
export const countedDay = pgTable(
  "counted_day",
  {
    id: boolean("id").primaryKey().default(true),
    day: date("day").notNull(),
  },
  () => [check("counted_day_one_row", sql`id`)],
);
