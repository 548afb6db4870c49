import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";

/** A week ahead, plus an hour since the job may run only hourly. */
const TRIAL_REMINDER = sql`interval '7 days 1 hour'`;
/** The law asks for 15 to 45 days. */
const RENEWAL_REMINDER = sql`interval '30 days'`;

export type DueKind = "begun" | "trialEnding" | "renewal" | "reminder";

/** Key and condition of what is due at `now`, for subscriptions s with prices p. */
const DUE: Record<DueKind, (now: SQL) => { key: SQL; where: SQL }> = {
  // Subscriptions that started without a payment, and so without a receipt.
  begun: (now) => ({
    key: sql`'begun:' || s.id`,
    where: sql`s.status = 'active' AND NOT s.cancel_at_period_end
      AND s.created > ${now} - interval '3 days' AND s.created <= ${now} - interval '10 minutes'
      AND EXISTS (SELECT 1 FROM checkouts c WHERE c.subscription_id = s.id)`,
  }),
  trialEnding: (now) => ({
    key: sql`'trial-ending:' || s.id || ':' || floor(extract(epoch FROM s.trial_end))`,
    where: sql`s.status = 'trialing' AND NOT s.cancel_at_period_end
      AND s.trial_end > ${now} AND s.trial_end <= ${now} + ${TRIAL_REMINDER}`,
  }),
  renewal: (now) => ({
    key: sql`'renewal:' || s.id || ':' || floor(extract(epoch FROM s.current_period_end))`,
    where: sql`s.status = 'active' AND NOT s.cancel_at_period_end AND ${isYearly}
      AND s.current_period_end > ${now} AND s.current_period_end <= ${now} + ${RENEWAL_REMINDER}`,
  }),
  reminder: (now) => ({
    key: sql`'reminder:' || s.id || ':' || ${years(now)}`,
    where: sql`s.status = 'active' AND NOT s.cancel_at_period_end AND NOT ${isYearly} AND s.current_period_end > ${now}
      AND ${years(now)} >= 1 AND ${now} < s.created + make_interval(years => ${years(now)}, days => 30)`,
  }),
};

export const DUE_KINDS = Object.keys(DUE) as DueKind[];

/** A year in any interval; 52 weeks are one day short of it. */
const isYearly = sql`(p.interval_count >= CASE p.interval
  WHEN 'day' THEN 364 WHEN 'week' THEN 52 WHEN 'month' THEN 12 ELSE 1 END)`;
const years = (now: SQL) => sql`extract(year FROM age(${now}, s.created))::int`;

export async function claimDue(tx: Transaction, kind: DueKind, now: SQL, limit: number): Promise<string[]> {
  const { key, where } = DUE[kind](now);
  const rows = await tx.execute<{ id: string }>(sql`
    WITH due AS (
      SELECT s.id, s.user_id, ${key} AS key FROM subscriptions s JOIN prices p ON p.id = s.price_id
      WHERE ${where} AND s.unknown_since IS NULL AND NOT s.is_request_open
        AND NOT EXISTS (SELECT 1 FROM billing_mails n WHERE n.key = ${key})
      LIMIT ${limit}
    ), claimed AS (
      INSERT INTO billing_mails (key, user_id) SELECT key, user_id FROM due ON CONFLICT DO NOTHING RETURNING key
    )
    SELECT due.id FROM due JOIN claimed USING (key)`);
  return rows.map(({ id }) => id);
}
