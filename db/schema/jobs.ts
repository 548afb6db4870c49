import { bigint, doublePrecision, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** Since the site was made. */
export const jobOutcomes = pgTable(
  "job_outcomes",
  {
    job: text("job").notNull(),
    outcome: text("outcome").notNull(),
    attempts: bigint("attempts", { mode: "number" }).notNull(),
    /** Of all these attempts together. */
    seconds: doublePrecision("seconds").notNull(),
    lastAt: timestamp("last_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.job, table.outcome] })],
);
