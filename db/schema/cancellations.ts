import { index, pgEnum, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { users } from "./auth.ts";
import { subscriptions } from "./subscriptions.ts";

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
