import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
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

/** One row for each provider that a person has bought from. */
export const customers = pgTable(
  "customers",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    provider: text("provider").notNull(),
    /** Ours where the provider has no customers. */
    providerCustomerId: text("provider_customer_id").notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    reconciledAt: timestamp("reconciled_at", { withTimezone: true }),
    /** See subscriptions.fetchedAt. Covers the card and the billing method in users. */
    fetchedAt: timestamp("fetched_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.provider] }),
    uniqueIndex("customers_provider_id").on(table.provider, table.providerCustomerId),
  ],
);

export const subscriptionChange = pgEnum("subscription_change", ["cancel", "keep"]);
export const renewalEnder = pgEnum("renewal_ender", ["site", "member"]);
/** What the provider does with invoices while collection is paused. */
export const collectionPause = pgEnum("collection_pause", ["keep_as_draft", "mark_uncollectible", "void"]);
export const trialEndWithoutCard = pgEnum("trial_end_without_card", ["cancel", "pause"]);

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
    /** The next charge after discounts, credit and tax, in the smallest unit; null when none or unknown. */
    nextAmount: bigint("next_amount", { mode: "number" }),
    /** A bank payment is pending, which takes days. */
    isPaymentPending: boolean("is_payment_pending").notNull().default(false),
    /** False until the first payment, and if it ended without one. */
    hasBegun: boolean("has_begun").notNull().default(true),
    /** Null unless the provider collects no payments although the subscription goes on. */
    collectionPause: collectionPause("collection_pause"),
    /** Null if somebody has to end the pause. */
    collectionResumesAt: timestamp("collection_resumes_at", { withTimezone: true }),
    /** How the trial ends without a payment method; null if it begins the subscription. */
    trialEndWithoutCard: trialEndWithoutCard("trial_end_without_card"),
    /** The provider sends invoices and charges nothing by itself. */
    isInvoiced: boolean("is_invoiced").notNull().default(false),
    /** Paid beforehand: nothing renews or is charged at its end, and there is nothing to cancel. */
    isPrepaid: boolean("is_prepaid").notNull().default(false),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull().default({}),
    /**
     * The payment provider stopped knowing it then, because it was sold under another account or by another
     * provider. Paid time stays open, but it does not renew here.
     */
    unknownSince: timestamp("unknown_since", { withTimezone: true }),
    /** The time is unique to the millisecond. */
    requestedChange: subscriptionChange("requested_change"),
    requestedAt: timestamp("requested_at", { withTimezone: true }),
    isRequestOpen: boolean("is_request_open").notNull().default(false),
    /**
     * Set when the host ends the renewals of a provider that sells no more (decision 221): the site has ended this one, or
     * its member had canceled before. Nobody can undo it here any more. Written before the provider is called.
     */
    renewalEndedBy: renewalEnder("renewal_ended_by"),
    /** Our time before the call: the result of an earlier call never replaces a later one. */
    fetchedAt: timestamp("fetched_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("subscriptions_user_period_end").on(table.userId, table.currentPeriodEnd.desc())],
);

/** One row for each change of status, plan or cancellation. */
export const subscriptionChanges = pgTable(
  "subscription_changes",
  {
    subscriptionId: text("subscription_id")
      .notNull()
      .references(() => subscriptions.id, { onDelete: "cascade", onUpdate: "cascade" }),
    /** From 1. A restore would have to set a sequence. */
    number: integer("number").notNull(),
    /** The provider's date if it gives one, otherwise when it was written; never before the previous change. */
    at: timestamp("at", { withTimezone: true }).notNull(),
    status: subscriptionStatus("status").notNull(),
    priceId: text("price_id")
      .notNull()
      .references(() => prices.id),
    isCancelled: boolean("is_cancelled").notNull(),
    /** The daily totals include it. */
    isCounted: boolean("is_counted").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.number] }),
    index("subscription_changes_uncounted").on(table.at).where(sql`NOT is_counted`),
  ],
);

export const cancellationReason = pgEnum("cancellation_reason", [
  "price",
  "littleNew",
  "notFound",
  "technical",
  "pause",
  "other",
]);

/** Voluntary; the newest one of a subscription counts. */
export const cancellationReasons = pgTable("cancellation_reasons", {
  subscriptionId: text("subscription_id")
    .primaryKey()
    .references(() => subscriptions.id, { onDelete: "cascade", onUpdate: "cascade" }),
  writtenAt: timestamp("written_at", { withTimezone: true }).notNull().defaultNow(),
  reason: cancellationReason("reason"),
  comment: text("comment").notNull().default(""),
});

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

/** Their content is not kept: the object is fetched again. */
export const billingEvents = pgTable(
  "billing_events",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    /** The provider's name, such as "invoice.paid". */
    type: text("type").notNull(),
    subject: text("subject").notNull(),
    subjectId: text("subject_id").notNull(),
    customerId: text("customer_id"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull().defaultNow(),
    processedAt: timestamp("processed_at", { withTimezone: true }),
    outcome: text("outcome"),
  },
  (table) => [
    index("billing_events_received_at").on(table.receivedAt),
    index("billing_events_open").on(table.receivedAt).where(sql`${table.processedAt} IS NULL`),
  ],
);

/**
 * What the events of a provider that cannot be asked have said (decision 219). Nothing is changed here; the rows above
 * follow from it.
 */
export const billingFacts = pgTable(
  "billing_facts",
  {
    id: text("id").primaryKey(),
    provider: text("provider").notNull(),
    subscriptionId: text("subscription_id"),
    /** As the provider returned it: buyers can change it on the way. */
    checkoutId: text("checkout_id"),
    at: timestamp("at", { withTimezone: true }).notNull(),
    receivedAt: timestamp("received_at", { withTimezone: true }).notNull().defaultNow(),
    /** A Fact, without names and addresses of persons. */
    fact: jsonb("fact").$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    index("billing_facts_subscription_id").on(table.subscriptionId),
    index("billing_facts_checkout_id").on(table.checkoutId),
  ],
);

/** Outlives the account as proof that the declaration was received. */
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
    /** All amounts are in the currency's smallest unit. */
    total: bigint("total", { mode: "number" }).notNull(),
    amountPaid: bigint("amount_paid", { mode: "number" }).notNull(),
    /** The customer's credit may have paid part of the total. */
    amountRemaining: bigint("amount_remaining", { mode: "number" }).notNull().default(0),
    amountRefunded: bigint("amount_refunded", { mode: "number" }).notNull().default(0),
    /** Charged back by the buyer's bank. */
    amountDisputed: bigint("amount_disputed", { mode: "number" }).notNull().default(0),
    periodStart: timestamp("period_start", { withTimezone: true }).notNull(),
    periodEnd: timestamp("period_end", { withTimezone: true }).notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** When the money arrived, which takes a bank days. */
    paidAt: timestamp("paid_at", { withTimezone: true }),
    /** Paid when its payment page had closed. */
    isLate: boolean("is_late").notNull().default(false),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: timestamp("next_attempt_at", { withTimezone: true }),
    hostedUrl: text("hosted_url"),
    pdfUrl: text("pdf_url"),
    fetchedAt: timestamp("fetched_at", { withTimezone: true }).notNull().defaultNow(),
    /** The parts of these amounts that the daily totals include. */
    countedPaid: bigint("counted_paid", { mode: "number" }).notNull().default(0),
    countedRefunded: bigint("counted_refunded", { mode: "number" }).notNull().default(0),
    countedDisputed: bigint("counted_disputed", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    index("invoices_user_id").on(table.userId, table.createdAt.desc()),
    index("invoices_uncounted")
      .on(table.fetchedAt)
      .where(
        sql`amount_paid <> counted_paid OR amount_refunded <> counted_refunded OR amount_disputed <> counted_disputed`,
      ),
  ],
);

export const billingMails = pgTable(
  "billing_mails",
  {
    /** Such as "receipt:in_123". */
    key: text("key").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index("billing_mails_user_id").on(table.userId)],
);

export type Product = typeof products.$inferSelect;
export type Price = typeof prices.$inferSelect;
export type Subscription = typeof subscriptions.$inferSelect;
export type Checkout = typeof checkouts.$inferSelect;
export type Invoice = typeof invoices.$inferSelect;
