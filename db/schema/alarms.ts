import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Everything that is wrong with the site, until all of it is well again and the owners know. */
export const alarms = pgTable("alarms", {
  kind: text("kind").primaryKey(),
  /** Jobs, mails or events, or the free bytes of a disk. */
  amount: bigint("amount", { mode: "number" }).notNull(),
  since: timestamp("since", { withTimezone: true }).notNull(),
  /** Since when the checks have found it well; null while it is wrong. */
  wellSince: timestamp("well_since", { withTimezone: true }),
  /** It stays until the last other alarm has ended, so that one mail names all. */
  endedAt: timestamp("ended_at", { withTimezone: true }),
  mailedAt: timestamp("mailed_at", { withTimezone: true }),
});
