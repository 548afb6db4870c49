import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

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
 * What the events of a provider that cannot be asked have said (decision 219). Nothing is changed here; the
 * subscriptions, invoices and purchases follow from it.
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
