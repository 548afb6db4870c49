import type { Checkout } from "#db/schema/billing.ts";
import type { Terms } from "../providers/contract/facts.ts";

type Ordered = Pick<Checkout, "currency" | "unitAmount" | "interval" | "intervalCount" | "firstPeriod">;

/** In words that need no catalog of prices. */
export function termsOf({ currency, unitAmount, interval, intervalCount, firstPeriod }: Ordered): Terms {
  const renewal = { amount: unitAmount, interval, intervalCount };
  const first = firstPeriod && {
    amount: firstPeriod.amount,
    interval: "day" as const,
    intervalCount: firstPeriod.days,
  };
  return { currency, first: first ?? renewal, renewal };
}

/** Free days. Everybody gets them once. */
export function isFreeTrial(firstPeriod: Checkout["firstPeriod"]): boolean {
  return firstPeriod?.amount === 0;
}
