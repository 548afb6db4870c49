import { sql } from "drizzle-orm";
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
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "./auth.ts";
import { type FirstPeriod, priceInterval, prices } from "./prices.ts";

export const checkoutStatus = pgEnum("checkout_status", ["open", "completed", "expired", "replaced"]);

/**
 * The accepted terms of a purchase. Its id and the customer's form the provider's idempotency key, so the row
 * exists before any charge. It outlives the account as proof of consent.
 */
export const checkouts = pgTable(
  "checkouts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    priceId: text("price_id")
      .notNull()
      .references(() => prices.id),
    status: checkoutStatus("status").notNull().default("open"),
    provider: text("provider").notNull(),
    providerCheckoutId: text("provider_checkout_id").unique(),
    /** The provider's page; null once the checkout is over. */
    url: text("url"),
    subscriptionId: text("subscription_id"),
    currency: text("currency").notNull(),
    /** In the currency's smallest unit, for one interval. */
    unitAmount: bigint("unit_amount", { mode: "number" }).notNull(),
    interval: priceInterval("interval").notNull(),
    intervalCount: integer("interval_count").notNull(),
    firstPeriod: jsonb("first_period").$type<FirstPeriod>(),
    /** The provider has seen money that may still not come. */
    isPaymentPending: boolean("is_payment_pending").notNull().default(false),
    /** What has come, while it is less than the price; in the smallest unit. */
    partPaid: bigint("part_paid", { mode: "number" }),
    /** The exact text beside the box, and its sha256 (hex). */
    consentText: text("consent_text").notNull(),
    consentHash: text("consent_hash").notNull(),
    consentedAt: timestamp("consented_at", { withTimezone: true }).notNull().defaultNow(),
    /** The network part only: /24 or /48. */
    network: text("network"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("checkouts_one_open").on(table.userId).where(sql`${table.status} = 'open'`),
    index("checkouts_user_id").on(table.userId, table.createdAt.desc()),
  ],
);

/** One row per free trial. Hashes only and no user, because it must outlive the account. */
export const trials = pgTable("trials", {
  id: uuid("id").primaryKey().defaultRandom(),
  subscriptionId: text("subscription_id").notNull().unique(),
  /** Keyed hash of the address without what mail servers ignore. */
  addressHash: text("address_hash").notNull().unique(),
  /** Keyed hash of the provider's fingerprint of the card or bank account. */
  cardHash: text("card_hash").unique(),
  startedAt: timestamp("started_at", { withTimezone: true }).notNull().defaultNow(),
});

export type Checkout = typeof checkouts.$inferSelect;
