import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { type Interval, monthlyAmount } from "./plan-price.ts";

export interface Plan {
  priceId: string;
  name: string;
  description: string;
  /** ISO 4217, lower case. */
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  interval: Interval;
  intervalCount: number;
  trialDays: number | null;
  /** The same plan's price for one month, in the smallest unit, rounded. */
  monthly: number;
  /** Cheaper by this much than the dearest plan of the same currency, 0 to 1. */
  saving: number;
}

type PlanRow = Omit<Plan, "monthly" | "saving">;

const COLUMNS = sql`
  p.id AS "priceId", d.name, d.description, p.currency, p.unit_amount::float8 AS amount,
  p.interval, p.interval_count AS "intervalCount", p.trial_period_days AS "trialDays"`;

/** What can be bought now, shortest commitment first. */
export async function listPlans(): Promise<Plan[]> {
  const rows = await db.execute<PlanRow & Record<string, unknown>>(sql`
    SELECT ${COLUMNS} FROM prices p JOIN products d ON d.id = p.product_id
    WHERE p.active AND d.active
    ORDER BY p.interval, p.interval_count, p.unit_amount, p.id
    LIMIT 12
  `);
  const priced = rows.map((row) => ({ ...row, monthly: monthlyAmount(row) }));
  return priced.map((plan) => ({ ...plan, saving: savingOf(plan, priced) }));
}

function savingOf(plan: { currency: string; monthly: number }, all: { currency: string; monthly: number }[]) {
  const dearest = Math.max(
    ...all.filter(({ currency }) => currency === plan.currency).map(({ monthly }) => monthly),
  );
  return dearest > 0 ? 1 - plan.monthly / dearest : 0;
}
