import { type SQL, sql } from "drizzle-orm";
import type { PeriodOptions } from "./days-of-grace.server.ts";

/** The price of a paid trial is for the trial itself, so it does not count. The index of invoices begins with their user. */
export function hasBeenPaid({ of: s = sql`s` }: Pick<PeriodOptions, "of"> = {}): SQL<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM invoices paid
    WHERE paid.user_id = ${s}.user_id AND paid.subscription_id = ${s}.id AND paid.amount_paid > 0
      AND paid.period_start IS DISTINCT FROM ${s}.trial_start)`;
}
