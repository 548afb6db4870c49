import type { Checkout } from "#db/schema/checkouts.ts";
import { capabilitiesOf } from "../providers/contract/capabilities.ts";
import type { Terms } from "../providers/contract/facts.ts";

type Ordered = Pick<Checkout, "currency" | "unitAmount" | "interval" | "intervalCount" | "firstPeriod">;

/** What a price says, in words that need no catalog of prices. */
export function termsOf({ currency, unitAmount, interval, intervalCount, firstPeriod }: Ordered): Terms {
  const renewal = { amount: unitAmount, interval, intervalCount };
  const first = firstPeriod && {
    amount: firstPeriod.amount,
    interval: "day" as const,
    intervalCount: firstPeriod.days,
  };
  return { currency, first: first ?? renewal, renewal };
}

/** Where the provider renews nothing, one period is paid beforehand. */
export function orderedTerms(checkout: Ordered & Pick<Checkout, "provider">): Terms {
  const terms = termsOf(checkout);
  return capabilitiesOf(checkout.provider).renews ? terms : { ...terms, renewal: null };
}

/** Free days. Everybody gets them once. */
export function isFreeTrial(firstPeriod: Checkout["firstPeriod"]): boolean {
  return firstPeriod?.amount === 0;
}
