import { type SQL, sql } from "drizzle-orm";
import type { PeriodOptions } from "./days-of-grace.server.ts";

/** The index of invoices begins with their user. */
export function hasBeenPaid({ of: s = sql`s` }: Pick<PeriodOptions, "of"> = {}): SQL<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM invoices paid
    WHERE paid.user_id = ${s}.user_id AND paid.subscription_id = ${s}.id AND paid.amount_paid > 0)`;
}
