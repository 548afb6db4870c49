import { and, eq } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { db, type Executor } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { type Price, prices, products } from "#db/schema/prices.ts";
import { sellingProvider, sellsPrepaid } from "../providers/providers.server.ts";
import type { Recurrence } from "../rules/charge-dates.ts";
import { consentText } from "../rules/consent-text.ts";
import { smallestCharge } from "../rules/format-money.ts";
import { termsOf } from "../rules/purchase-terms.ts";
import { hasHadTrial } from "./trials.server.ts";

export type OfferedPlan = Awaited<ReturnType<typeof listOffer>>["plans"][number];

export const MAX_PLANS = 12;
/** A year has 365.25 days, so that weeks and days compare fairly with a month. */
const MONTHS = { day: 12 / 365.25, week: 84 / 365.25, month: 1, year: 12 };

/** For a newcomer when `person` is null. `termsHash`: sha256 in hex. `known`: the database's time, if it was read. */
export async function listOffer(person: { userId: string; email: string } | null, known?: { now: Date }) {
  const now = known?.now ?? (await readDatabaseTime());
  const [plans, hasUsedTrial] = await Promise.all([
    sellingProvider() === null ? [] : listPlans(),
    person === null ? false : hasHadTrial(person.userId, person.email),
  ]);
  const offered = plans.map((plan) => {
    const own = hasUsedTrial ? { ...plan, firstPeriod: null } : plan;
    const terms = consentText({ ...own, hasTax: config.billing.hasTax }, now);
    return { ...own, terms, termsHash: hashSecret(terms) };
  });
  return { now, plans: offered };
}

/** `saving`: 0 to 1, against the dearest plan of the same product and currency. */
export async function listPlans() {
  const provider = sellingProvider();
  const all = await selectPlans(db).limit(MAX_PLANS);
  // Prices of a former provider, or of before the present one was set up.
  const rows = all.filter(({ amount, ...row }) => !provider?.unfit(termsOf({ ...row, unitAmount: amount })));
  const isPrepaid = sellsPrepaid();
  const priced = rows.map((row) => ({ ...row, isPrepaid, monthly: monthlyAmount(row) }));
  return priced.map((plan) => ({ ...plan, saving: savingOf(plan, priced) }));
}

/** The ids of prices that are on sale at the provider, and for which `/subscribe` has no room. */
export async function listUnofferedPrices(executor: Executor = db): Promise<string[]> {
  return (await selectPlans(executor).offset(MAX_PLANS)).map(({ priceId }) => priceId);
}

function selectPlans(executor: Executor) {
  return executor
    .select({
      priceId: prices.id,
      productId: prices.productId,
      name: products.name,
      description: products.description,
      currency: prices.currency,
      amount: prices.unitAmount,
      interval: prices.interval,
      intervalCount: prices.intervalCount,
      firstPeriod: prices.firstPeriod,
    })
    .from(prices)
    .innerJoin(products, eq(products.id, prices.productId))
    .where(and(prices.active, products.active))
    .orderBy(prices.interval, prices.intervalCount, prices.unitAmount, prices.id);
}

export function monthlyAmount({
  amount,
  currency,
  interval,
  intervalCount,
}: Recurrence & { amount: number; currency: string }): number {
  const unit = smallestCharge(currency);
  return Math.round(amount / (MONTHS[interval] * intervalCount) / unit) * unit;
}

type Priced = Pick<Price, "productId" | "currency"> & { monthly: number };

function savingOf(plan: Priced, all: Priced[]): number {
  const alike = all.filter(
    ({ productId, currency }) => productId === plan.productId && currency === plan.currency,
  );
  const dearest = Math.max(...alike.map(({ monthly }) => monthly));
  return dearest > 0 ? 1 - plan.monthly / dearest : 0;
}
