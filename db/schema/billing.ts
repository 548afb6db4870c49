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

/** Of what is for sale, which is read as a whole: one row. */
export const offerReads = pgTable("offer_reads", {
  id: integer("id").primaryKey().default(1),
  /** As a subscription's. */
  readAt: timestamp("read_at", { withTimezone: true }).notNull(),
});

export const customers = pgTable("customers", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  provider: text("provider").notNull(),
  providerCustomerId: text("provider_customer_id").notNull().unique(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  /** When all of it was last compared with the provider's; null never. */
  reconciledAt: timestamp("reconciled_at", { withTimezone: true }),
  /** As a subscription's: of the card and of how it is charged, which stand at the user. */
  readAt: timestamp("read_at", { withTimezone: true }).notNull().defaultNow(),
});

export const subscriptionWish = pgEnum("subscription_wish", ["cancel", "keep"]);

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
    /**
     * What is charged when the period ends, codes, credit and tax and all, in the currency's smallest unit; null when
     * nothing is, or the provider did not say.
     */
    nextAmount: bigint("next_amount", { mode: "number" }),
    /** What is owed of it is on its way from a bank, which takes days. */
    isPaymentPending: boolean("is_payment_pending").notNull().default(false),
    /** False of one whose first payment is still to come, and of one that ended without it. */
    hasBegun: boolean("has_begun").notNull().default(true),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull().default({}),
    /**
     * Since when whoever takes the payments does not know it: it was sold under another account, or by another provider.
     * What is paid stays open; it does not go on here. Null while it is known.
     */
    unknownSince: timestamp("unknown_since", { withTimezone: true }),
    /** What its owner has pressed last, and when; to the millisecond, as no two have the same moment. */
    wish: subscriptionWish("wish"),
    wishedAt: timestamp("wished_at", { withTimezone: true }),
    /** Whoever takes the payments has not confirmed it yet. */
    isWishOpen: boolean("is_wish_open").notNull().default(false),
    /** By our clock, before the provider was asked: an answer to an earlier question never replaces a later one. */
    readAt: timestamp("read_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("subscriptions_user_period_end").on(table.userId, table.currentPeriodEnd.desc())],
);

export const checkoutStatus = pgEnum("checkout_status", ["open", "completed", "expired", "replaced"]);

/**
 * A purchase that was begun, with what was agreed to. With the customer's its id is the provider's idempotency key, so the
 * row is there before anything can be charged. It outlives the account: it is the proof of the consent.
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
    /** Null until the provider has answered. */
    providerCheckoutId: text("provider_checkout_id").unique(),
    /** The provider's page; emptied when the checkout is over. */
    url: text("url"),
    subscriptionId: text("subscription_id"),
    currency: text("currency").notNull(),
    /** In the currency's smallest unit, for one interval. */
    unitAmount: bigint("unit_amount", { mode: "number" }).notNull(),
    interval: priceInterval("interval").notNull(),
    intervalCount: integer("interval_count").notNull(),
    trialDays: integer("trial_days"),
    /** Word for word what stood beside the box that was ticked, and its sha256 in hex. */
    consentText: text("consent_text").notNull(),
    consentHash: text("consent_hash").notNull(),
    consentedAt: timestamp("consented_at", { withTimezone: true }).notNull().defaultNow(),
    /** Network part of the address only: /24 or /48. */
    network: text("network"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (table) => [
    uniqueIndex("checkouts_one_open").on(table.userId).where(sql`${table.status} = 'open'`),
    index("checkouts_user_id").on(table.userId, table.createdAt.desc()),
  ],
);

/** Who has had a free trial, once each. Hashes only, and no user: it must outlive the account. */
export const trials = pgTable("trials", {
  id: uuid("id").primaryKey().defaultRandom(),
  subscriptionId: text("subscription_id").notNull().unique(),
  /** Of the address without what a mail server ignores, keyed. */
  addressHash: text("address_hash").notNull().unique(),
  /** Of the provider's fingerprint of the card or the bank account, keyed; null until it is known. */
  cardHash: text("card_hash").unique(),
  startedAt: timestamp("started_at", { withTimezone: true }).notNull().defaultNow(),
});

/** What the provider told us, each once. The content is not kept: what it is about is asked for anew. */
export const billingEvents = pgTable(
  "billing_events",
  {
    /** The provider's own. */
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    /** In the provider's words, for example "invoice.paid". */
    type: text("type").notNull(),
    /** What it is about. */
    subject: text("subject").notNull(),
    subjectId: text("subject_id").notNull(),
    customerId: text("customer_id"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull().defaultNow(),
    processedAt: timestamp("processed_at", { withTimezone: true }),
    outcome: text("outcome"),
  },
  (table) => [index("billing_events_received_at").on(table.receivedAt)],
);

/**
 * Who has withdrawn from the contract of a subscription, and when; once each. It outlives the account: it is the proof that
 * the declaration was received.
 */
export const withdrawals = pgTable(
  "withdrawals",
  {
    subscriptionId: text("subscription_id").primaryKey(),
    userId: uuid("user_id").references(() => users.id, { onDelete: "set null" }),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("withdrawals_user_id").on(table.userId)],
);

export const invoiceStatus = pgEnum("invoice_status", ["draft", "open", "paid", "uncollectible", "void"]);

export const invoices = pgTable(
  "invoices",
  {
    id: text("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    subscriptionId: text("subscription_id"),
    number: text("number"),
    status: invoiceStatus("status").notNull(),
    currency: text("currency").notNull(),
    /** All sums in the currency's smallest unit. */
    total: bigint("total", { mode: "number" }).notNull(),
    amountPaid: bigint("amount_paid", { mode: "number" }).notNull(),
    /** What is still to be paid: credit of the customer's may have paid a part of the total. */
    amountRemaining: bigint("amount_remaining", { mode: "number" }).notNull().default(0),
    amountRefunded: bigint("amount_refunded", { mode: "number" }).notNull().default(0),
    periodStart: timestamp("period_start", { withTimezone: true }).notNull(),
    periodEnd: timestamp("period_end", { withTimezone: true }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** When the money was here, which a bank may send days later; null until then. */
    paidAt: timestamp("paid_at", { withTimezone: true }),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }),
    /** The provider's page to pay or see it, and its PDF. */
    hostedUrl: text("hosted_url"),
    pdfUrl: text("pdf_url"),
    readAt: timestamp("read_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("invoices_user_id").on(table.userId, table.createdAt.desc())],
);

/** Which billing mails were written, so that each is written once. */
export const billingNotices = pgTable(
  "billing_notices",
  {
    /** For example "receipt:in_123". */
    key: text("key").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("billing_notices_user_id").on(table.userId)],
);
