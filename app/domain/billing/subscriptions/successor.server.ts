import { type SQL, sql } from "drizzle-orm";
import { ACCESS_KINDS } from "#app/domain/access/subscription-state.ts";
import type { PeriodOptions } from "./days-of-grace.server.ts";
import { stateKind } from "./subscription-state.server.ts";

/** The person has subscribed again: another subscription gives access, and renews or ends later. */
export function hasSuccessor({ now, of: s = sql`s` }: Pick<PeriodOptions, "now" | "of"> = {}): SQL<boolean> {
  const kind = stateKind({ ...(now && { now }), of: sql`o` });
  const renews = sql`NOT o.cancel_at_period_end AND NOT o.is_prepaid AND o.unknown_since IS NULL`;
  return sql<boolean>`EXISTS (SELECT FROM subscriptions o WHERE o.user_id = ${s}.user_id AND o.id <> ${s}.id
    AND ${kind} IN ${ACCESS_KINDS} AND (${renews} OR o.current_period_end > ${s}.current_period_end))`;
}
