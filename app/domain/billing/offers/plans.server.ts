import { and, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { prices, products } from "#db/schema/billing.ts";
import { monthlyAmount, type Recurrence } from "../rules/plan-price.ts";

const MAX_PLANS = 12;

export interface Plan extends Recurrence {
  priceId: string;
  productId: string;
  name: string;
  description: string;
  /** ISO 4217, lower case. */
  currency: string;
  amount: number;
  trialDays: number | null;
  monthly: number;
  /** Saving compared to the dearest plan of the same product and currency, 0 to 1. */
  saving: number;
}

export async function listPlans(): Promise<Plan[]> {
  const rows = await db
    .select({
      priceId: prices.id,
      productId: prices.productId,
      name: products.name,
      description: products.description,
      currency: prices.currency,
      amount: prices.unitAmount,
      interval: prices.interval,
      intervalCount: prices.intervalCount,
      trialDays: prices.trialPeriodDays,
    })
    .from(prices)
    .innerJoin(products, eq(products.id, prices.productId))
    .where(and(prices.active, products.active))
    .orderBy(prices.interval, prices.intervalCount, prices.unitAmount, prices.id)
    .limit(MAX_PLANS);
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
