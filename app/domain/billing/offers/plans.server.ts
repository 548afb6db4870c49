import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { type Interval, monthlyAmount } from "../rules/plan-price.ts";

export interface Plan {
  priceId: string;
  productId: string;
  name: string;
  description: string;
  /** ISO 4217, lower case. */
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  interval: Interval;
  intervalCount: number;
  trialDays: number | null;
  monthly: number;
  /** Saving compared to the dearest plan of the same product and currency, 0 to 1. */
  saving: number;
}

type PlanRow = Omit<Plan, "monthly" | "saving">;

const COLUMNS = sql`
  p.id AS "priceId", p.product_id AS "productId", d.name, d.description, p.currency, p.unit_amount::float8 AS amount,
  p.interval, p.interval_count AS "intervalCount", p.trial_period_days AS "trialDays"`;

/** Plans on sale, shortest commitment first. */
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

type Priced = Pick<Plan, "productId" | "currency" | "monthly">;

function savingOf(plan: Priced, all: Priced[]): number {
  const alike = all.filter(
    ({ productId, currency }) => productId === plan.productId && currency === plan.currency,
  );
  const dearest = Math.max(...alike.map(({ monthly }) => monthly));
  return dearest > 0 ? 1 - plan.monthly / dearest : 0;
}
