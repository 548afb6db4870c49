import { sql } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import {
  addToTotals,
  type CountedPart,
  dayOf,
  lockForCounting,
  totalRows,
  unionOf,
} from "#app/domain/totals/daily-totals.server.ts";
import type { Executor } from "#db/client.server.ts";
import { BEGUN_AFTER_TRIAL } from "./subscription-changes.server.ts";

const BEGINS = sql`NOT had_begun AND status IN ${BEGUN_AFTER_TRIAL}`;

export async function countSubscriptions(executor: Executor, part: CountedPart): Promise<void> {
  const { timeZone, before, userId } = part;
  const row = { day: dayOf(sql`at`, timeZone), key: sql`price_id` };
  await addToTotals(executor, {
    steps: sql`due AS MATERIALIZED (
      SELECT subscription_id, number FROM subscription_changes
      WHERE NOT is_counted ${before ? sql`AND at < ${before.toISOString()}::timestamptz` : sql``}
        ${userId ? sql`AND subscription_id IN (SELECT id FROM subscriptions WHERE user_id = ${userId})` : sql``}
      ORDER BY subscription_id, number ${lockForCounting(part)}
    ), counted AS (
      UPDATE subscription_changes c SET is_counted = true FROM due
      WHERE c.subscription_id = due.subscription_id AND c.number = due.number
      RETURNING c.subscription_id, c.number, c.at, c.status, c.price_id
    ), moved AS (
      SELECT c.*, coalesce(earlier.had_trial, false) AS had_trial, coalesce(earlier.had_begun, false) AS had_begun,
        coalesce(earlier.had_ended, false) AS had_ended
      FROM counted c, LATERAL (
        SELECT bool_or(e.status = 'trialing') AS had_trial, bool_or(e.status IN ${BEGUN_AFTER_TRIAL}) AS had_begun,
          bool_or(e.status IN ${ENDED_STATUSES}) AS had_ended
        FROM subscription_changes e WHERE e.subscription_id = c.subscription_id AND e.number < c.number
      ) earlier
    )`,
    rows: unionOf([
      totalRows("trialsBegun", {
        ...row,
        from: sql`moved WHERE status = 'trialing' AND NOT had_trial AND NOT had_begun`,
      }),
      totalRows("trialsKept", { ...row, from: sql`moved WHERE ${BEGINS} AND had_trial` }),
      totalRows("beginnings", { ...row, from: sql`moved WHERE ${BEGINS}` }),
      totalRows("endings", {
        ...row,
        from: sql`moved WHERE status IN ${ENDED_STATUSES} AND had_begun AND NOT had_ended`,
      }),
    ]),
  });
}

/** Providers do not date refunds and chargebacks, so they count on the day when the site sees them. */
export async function countMoney(executor: Executor, part: CountedPart): Promise<void> {
  const { now, timeZone, before, userId } = part;
  const paidAt = sql`coalesce(i.paid_at, i.fetched_at)`;
  const today = dayOf(sql`${now.toISOString()}::timestamptz`, timeZone);
  const key = sql`trim(currency || ' ' || coalesce(price_id, ''))`;
  await addToTotals(executor, {
    steps: sql`uncounted AS MATERIALIZED (
      SELECT i.id, ${paidAt} AS paid_at, i.currency, s.price_id,
        i.amount_paid - i.counted_paid AS paid, i.amount_refunded - i.counted_refunded AS refunded,
        i.amount_disputed - i.counted_disputed AS disputed
      FROM invoices i LEFT JOIN subscriptions s ON s.id = i.subscription_id
      WHERE (i.amount_paid <> i.counted_paid OR i.amount_refunded <> i.counted_refunded
          OR i.amount_disputed <> i.counted_disputed)
        ${before ? sql`AND ${paidAt} < ${before.toISOString()}::timestamptz` : sql``}
        ${userId ? sql`AND i.user_id = ${userId}` : sql``}
      ORDER BY i.id ${lockForCounting(part, sql`OF i`)}
    ), counted AS (
      UPDATE invoices i SET counted_paid = counted_paid + u.paid, counted_refunded = counted_refunded + u.refunded,
        counted_disputed = counted_disputed + u.disputed
      FROM uncounted u WHERE i.id = u.id
    )`,
    rows: unionOf([
      totalRows("paid", { day: dayOf(sql`paid_at`, timeZone), key, amount: sql`paid`, from: sql`uncounted` }),
      totalRows("refunded", { day: today, key, amount: sql`refunded`, from: sql`uncounted` }),
      totalRows("disputed", { day: today, key, amount: sql`disputed`, from: sql`uncounted` }),
    ]),
  });
}
