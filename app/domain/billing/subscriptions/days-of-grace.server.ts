import { type SQL, sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { addDays } from "#app/dates.ts";

/** Access continues this long after a period, because the renewal's event may be late. The nightly sync comes sooner. */
const RENEWAL_TOLERANCE = sql`interval '2 days'`;

export interface PeriodOptions {
  graceDays?: number;
  now?: SQL;
  of?: SQL;
}

export function isCurrent(options: PeriodOptions = {}): SQL<boolean> {
  const { graceDays = config.billing.graceDays, now = sql`now()`, of: s = sql`s` } = options;
  // No renewal is expected of a prepaid or canceled subscription, nor of one unknown to the provider.
  const isLast = sql`${s}.is_prepaid OR ${s}.cancel_at_period_end OR ${s}.unknown_since IS NOT NULL`;
  const tolerance = sql`CASE WHEN ${isLast} THEN interval '0' ELSE ${RENEWAL_TOLERANCE} END`;
  // A provider's clock may be ahead of ours. A period that begins in the future must not lengthen the grace.
  const begun = sql`least(${s}.current_period_start, ${now})`;
  const end = periodEnd(options);
  const grace = sql`${graceDays} * interval '1 day'`;
  return sql<boolean>`(CASE WHEN ${s}.status = 'past_due' THEN ${begun} + ${grace} ELSE ${end} + ${tolerance} END > ${now})`;
}

/** As endOf(). */
export function periodEnd({ of: s = sql`s` }: Pick<PeriodOptions, "of"> = {}): SQL<Date> {
  return sql`least(${s}.current_period_end, CASE WHEN ${s}.cancel_at_period_end THEN ${s}.cancel_at END)`;
}

export function endOfGrace(periodStart: Date, now: Date): Date | null {
  const { graceDays } = config.billing;
  const end = addDays(periodStart, graceDays);
  return graceDays > 0 && end > now ? end : null;
}
