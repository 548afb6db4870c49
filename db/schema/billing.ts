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
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "./auth.ts";

export const subscriptionStatus = pgEnum("subscription_status", [
  "trialing",
  "active",
  "incomplete",
  "incomplete_expired",
  "past_due",
  "unpaid",
  "paused",
  "canceled",
]);
export const priceInterval = pgEnum("price_interval", ["day", "week", "month", "year"]);

/** Ids are the payment provider's own, so that a mirror is an upsert. */
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
    trialPeriodDays: integer("trial_period_days"),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [index("prices_product_id").on(table.productId)],
);

export const customers = pgTable("customers", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  provider: text("provider").notNull(),
  providerCustomerId: text("provider_customer_id").notNull().unique(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
});

export const subscriptions = pgTable(
  "subscriptions",
  {
    id: text("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    provider: text("provider").notNull(),
    status: subscriptionStatus("status").notNull(),
    priceId: text("price_id")
      .notNull()
      .references(() => prices.id),
    quantity: integer("quantity").notNull().default(1),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull().default(false),
    created: timestamp("created", { withTimezone: true }).notNull().defaultNow(),
    currentPeriodStart: timestamp("current_period_start", { withTimezone: true }).notNull(),
    currentPeriodEnd: timestamp("current_period_end", { withTimezone: true }).notNull(),
    trialStart: timestamp("trial_start", { withTimezone: true }),
    trialEnd: timestamp("trial_end", { withTimezone: true }),
    cancelAt: timestamp("cancel_at", { withTimezone: true }),
    canceledAt: timestamp("canceled_at", { withTimezone: true }),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [index("subscriptions_user_period_end").on(table.userId, table.currentPeriodEnd.desc())],
);
