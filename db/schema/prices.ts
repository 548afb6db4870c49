import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  timestamp,
} from "drizzle-orm/pg-core";

export const priceInterval = pgEnum("price_interval", ["day", "week", "month", "year"]);

/** Before the regular periods: a free trial (the amount is 0), or days at a price of their own in the smallest unit. */
export interface FirstPeriod {
  days: number;
  amount: number;
}

/** Ids are those of the payment provider's catalog, so that each write is an upsert; ours where the prices are made here. */
export const products = pgTable("products", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  image: text("image"),
  active: boolean("active").notNull().default(true),
  metadata: jsonb("metadata").$type<Record<string, string>>().notNull().default({}),
});

export const prices = pgTable(
  "prices",
  {
    id: text("id").primaryKey(),
    productId: text("product_id")
      .notNull()
      .references(() => products.id),
    active: boolean("active").notNull().default(true),
    description: text("description"),
    /** ISO 4217, lower case. */
    currency: text("currency").notNull(),
    /** In the currency's smallest unit. */
    unitAmount: bigint("unit_amount", { mode: "number" }).notNull(),
    interval: priceInterval("interval").notNull(),
    intervalCount: integer("interval_count").notNull().default(1),
    firstPeriod: jsonb("first_period").$type<FirstPeriod>(),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [index("prices_product_id").on(table.productId)],
);

/** One row, because the offer is read as a whole. */
export const offerFetches = pgTable("offer_fetches", {
  id: integer("id").primaryKey().default(1),
  fetchedAt: timestamp("fetched_at", { withTimezone: true }).notNull(),
});

export type Product = typeof products.$inferSelect;
export type Price = typeof prices.$inferSelect;
