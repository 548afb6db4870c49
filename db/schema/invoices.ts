import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgEnum, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./auth.ts";

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

export type Invoice = typeof invoices.$inferSelect;
