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
  uuid,
} from "drizzle-orm/pg-core";
import { users } from "./auth.ts";
import { prices } from "./prices.ts";

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

export type Subscription = typeof subscriptions.$inferSelect;
