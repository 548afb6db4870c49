import { formatDate } from "#app/dates.ts";
import { subscriptionState } from "#app/domain/access/subscription-state.ts";
import type { Price } from "#db/schema/billing.ts";
import { formatMoney } from "./format.ts";
import type { SubscriptionFacts } from "./subscription-sentence.ts";

interface Charged {
  nextAmount: number | null;
  price: Pick<Price, "unitAmount" | "currency">;
}

/** "$14.99 on 21 December 2026"; an uncertain sum is marked as such. */
export function chargeText({ nextAmount, price }: Charged, on: Date): string {
  const sum = `${formatMoney(nextAmount ?? price.unitAmount, price.currency)} on ${formatDate(on)}`;
  if (nextAmount === null) return `${sum}, before discounts and tax`;
  return nextAmount === price.unitAmount ? sum : `${sum}, with discounts, credit and tax`;
}

/** Null when nothing will be charged. */
export function nextChargeText(
  subscription: SubscriptionFacts & Charged,
  owed: number | null,
  now: Date,
): string | null {
  const { price, currentPeriodEnd, isPaymentPending } = subscription;
  switch (subscriptionState(subscription, now)) {
    case "running":
      return chargeText(subscription, currentPeriodEnd);
    case "renewing":
      return "Being taken now";
    case "unrenewed":
      return "Not known";
    case "grace":
    case "overdue":
    case "unbegun":
      return `${owedText(owed, price)}, ${isPaymentPending ? "on its way from your bank" : "due now"}`;
    case "ending":
    case "paused":
    case "unknown":
    case "unknownOver":
    case "ended":
    case "expired":
      return null;
  }
}

function owedText(owed: number | null, { unitAmount, currency }: Charged["price"]): string {
  return owed === null
    ? `${formatMoney(unitAmount, currency)} before discounts and tax`
    : formatMoney(owed, currency);
}
