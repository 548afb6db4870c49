import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** What is wrong with the site, until all of it is fine again and the owners know. */
export const alarms = pgTable("alarms", {
  kind: text("kind").primaryKey(),
  /** Jobs, emails or events, or the free bytes of a disk. */
  amount: bigint("amount", { mode: "number" }).notNull(),
  since: timestamp("since", { withTimezone: true }).notNull(),
  wellSince: timestamp("well_since", { withTimezone: true }),
  /** Stays until the last other alarm has ended, so that one email names all. */
  endedAt: timestamp("ended_at", { withTimezone: true }),
  mailedAt: timestamp("mailed_at", { withTimezone: true }),
});
