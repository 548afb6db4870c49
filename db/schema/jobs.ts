import { bigint, doublePrecision, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** How the attempts of each job have ended since the site was made. The worker adds to it when an attempt ends. */
export const jobOutcomes = pgTable(
  "job_outcomes",
  {
    job: text("job").notNull(),
    outcome: text("outcome").notNull(),
    attempts: bigint("attempts", { mode: "number" }).notNull(),
    /** Time of all these attempts together. */
    seconds: doublePrecision("seconds").notNull(),
    lastAt: timestamp("last_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.job, table.outcome] })],
);
