import { formatDate } from "#app/dates.ts";
import {
  endOf,
  isUncollectedAt,
  OVERDUE_STATUSES,
  PAID_STATUSES,
  type StateFacts,
  subscriptionState,
} from "#app/domain/access/subscription-state.ts";
import type { Price, Subscription } from "#db/schema/billing.ts";
import { formatMoney } from "./format-money.ts";
import type { SubscriptionFacts } from "./subscription-sentence.ts";

interface Charged {
  nextAmount: number | null;
  isInvoiced: boolean;
  price: Pick<Price, "unitAmount" | "currency">;
}

/** "$14.99 on 21 December 2026"; an uncertain sum is marked as such. */
export function chargeText({ nextAmount, isInvoiced, price }: Charged, on: Date): string {
  const sum = sumOn(nextAmount ?? price.unitAmount, price.currency, { isInvoiced, on });
  if (nextAmount === null) return `${sum}, before discounts and tax`;
  return nextAmount === price.unitAmount ? sum : `${sum}, with discounts, credit and tax`;
}

type Cancelled = Subscription & { price: Pick<Price, "currency"> };

/** A change of plan that was not billed at once is billed at the end of a cancelled subscription. Null when nothing is. */
export function lastChargeText(subscription: Cancelled): string | null {
  const { cancelAtPeriodEnd, nextAmount, isInvoiced, price } = subscription;
  if (!cancelAtPeriodEnd || !nextAmount) return null;
  const sum = sumOn(nextAmount, price.currency, { isInvoiced, on: endOf(subscription) });
  return `${sum}, for your change of plan`;
}

export function lastChargeSentence(subscription: Cancelled): string {
  const { status, nextAmount } = subscription;
  if (OVERDUE_STATUSES.includes(status)) return "Its last payment is still due and may be taken until then.";
  const last = lastChargeText(subscription);
  if (last !== null) return `One more sum is due: ${last}.`;
  const isUnknown = nextAmount === null && PAID_STATUSES.includes(status);
  return isUnknown ? "It does not renew." : "Nothing more is charged.";
}

type Uncharged = Pick<StateFacts, "collectionPause" | "collectionResumesAt" | "trialEndWithoutCard">;

/** Why nothing is charged on that day: "None before 1 March 2027, while payments are paused". Null when it is. */
export function unchargedText(subscription: Uncharged, on: Date): string | null {
  const { collectionResumesAt, trialEndWithoutCard } = subscription;
  if (isUncollectedAt(subscription, on)) {
    const before = collectionResumesAt ? ` before ${formatDate(collectionResumesAt)}` : "";
    return `None${before}, while payments are paused`;
  }
  return trialEndWithoutCard === null ? null : "None, because no payment method is stored";
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
      return subscription.isInvoiced ? "An invoice is being sent" : "Being taken now";
    case "unrenewed":
      return "Not known";
    case "grace":
    case "overdue":
    case "unbegun":
      return `${owedText(owed, price)}, ${isPaymentPending ? "on its way from your bank" : "due now"}`;
    case "ending":
      return lastChargeText(subscription);
    case "uncollected":
    case "cardless":
    case "paused":
    case "unknown":
    case "unknownEnded":
    case "ended":
    case "expired":
      return null;
  }
}

function sumOn(
  amount: number,
  currency: string,
  { isInvoiced, on }: { isInvoiced: boolean; on: Date },
): string {
  const means = isInvoiced ? "by an invoice sent on" : "on";
  return `${formatMoney(amount, currency)} ${means} ${formatDate(on)}`;
}

function owedText(owed: number | null, { unitAmount, currency }: Charged["price"]): string {
  return owed === null
    ? `${formatMoney(unitAmount, currency)} before discounts and tax`
    : formatMoney(owed, currency);
}
