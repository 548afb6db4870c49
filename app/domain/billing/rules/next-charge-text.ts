import { formatDate } from "#app/dates.ts";
import {
  endOf,
  isTrial,
  isUncollectedAt,
  OVERDUE_STATUSES,
  PAID_STATUSES,
  type StateFacts,
  subscriptionState,
  type TrialFacts,
} from "#app/domain/access/subscription-state.ts";
import type { Price } from "#db/schema/prices.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import { canKeep } from "./cancellation-state.ts";
import { formatMoney } from "./format-money.ts";
import type { SubscriptionFacts } from "./subscription-sentence.ts";

interface Charged {
  nextAmount: number | null;
  isInvoiced: boolean;
  price: Pick<Price, "unitAmount" | "currency">;
}

/** "$14.99 on 21 December 2026", and whether the amount is certain. */
export function chargeText({ nextAmount, isInvoiced, price }: Charged, on: Date): string {
  const amount = amountOn(nextAmount ?? price.unitAmount, price.currency, { isInvoiced, on });
  if (nextAmount === null) return `${amount}, before discounts and tax`;
  return nextAmount === price.unitAmount ? amount : `${amount}, including discounts, credit and tax`;
}

type Canceled = Subscription & TrialFacts & { price: Pick<Price, "currency"> };

/** Charges not billed yet, such as for a change of plan, are collected at the end. Null when there are none or the amount is unknown. */
export function lastChargeText(subscription: Canceled): string | null {
  const { cancelAtPeriodEnd, nextAmount, isInvoiced, price } = subscription;
  if (!cancelAtPeriodEnd || !nextAmount) return null;
  const amount = amountOn(nextAmount, price.currency, { isInvoiced, on: endOf(subscription) });
  return `${amount}, for charges not billed yet`;
}

/** Worded so that it also holds after the end, when the receipt may have arrived. */
export function lastChargeSentence(subscription: Canceled): string {
  const { status, nextAmount, trialEndWithoutCard } = subscription;
  if (OVERDUE_STATUSES.includes(status))
    return "Its last payment is still due and may be collected until then.";
  const last = lastChargeText(subscription);
  if (last !== null) return `Its last charge is ${last}. A receipt confirms the payment.`;
  const isUnknown = nextAmount === null && PAID_STATUSES.includes(status) && trialEndWithoutCard === null;
  if (isUnknown) return "It does not renew.";
  return isTrial(subscription) ? "You will not be charged." : "You will not be charged again.";
}

/** Null when nothing is charged at the end of the period, as for a subscription of the demo. */
export function keptChargeSentence(subscription: Subscription & Charged): string | null {
  const { provider, status, cancelAtPeriodEnd, nextAmount, currentPeriodEnd: on } = subscription;
  if (provider === DEMO_PROVIDER || !canKeep(subscription) || !PAID_STATUSES.includes(status)) return null;
  if (unchargedText(subscription, on) !== null) return null;
  // While it is canceled, the stored amount is that of its last charge.
  const amount = cancelAtPeriodEnd ? null : nextAmount;
  return `If you keep it, the next charge is ${chargeText({ ...subscription, nextAmount: amount }, on)}.`;
}

type Uncharged = Pick<StateFacts, "collectionPause" | "collectionResumesAt" | "trialEndWithoutCard">;

/** "None before 1 March 2027, while payments are paused". Null when a charge is due. */
export function unchargedText(subscription: Uncharged, on: Date): string | null {
  const { collectionResumesAt, trialEndWithoutCard } = subscription;
  if (isUncollectedAt(subscription, on)) {
    const before = collectionResumesAt ? ` before ${formatDate(collectionResumesAt)}` : "";
    return `None${before}, while payments are paused`;
  }
  return trialEndWithoutCard === null ? null : "None, because there is no payment method on file";
}

/** Null when nothing will be charged. `owed`: see findOwnPayments(). */
export function nextChargeText(
  subscription: SubscriptionFacts & Charged,
  owed: number | null,
  now: Date,
): string | null {
  const { currentPeriodEnd, nextAmount } = subscription;
  switch (subscriptionState(subscription, now)) {
    case "running":
      return chargeText(subscription, currentPeriodEnd);
    case "renewing":
      return subscription.isInvoiced ? "An invoice is being sent" : "Being charged now";
    case "unrenewed":
      return "Unknown";
    case "grace":
    case "overdue":
    case "unbegun":
      return owedText(subscription, owed);
    case "ending":
      if (nextAmount !== null) return lastChargeText(subscription);
      return unchargedText(subscription, endOf(subscription)) ?? "No renewal charge";
    case "prepaid":
      return "None. It does not renew";
    case "ended":
      return owed === null ? null : owedText(subscription, owed);
    case "uncollected":
    case "cardless":
    case "paused":
    case "unknown":
    case "unknownEnded":
    case "expired":
      return null;
  }
}

function amountOn(
  amount: number,
  currency: string,
  { isInvoiced, on }: { isInvoiced: boolean; on: Date },
): string {
  return `${formatMoney(amount, currency)}${isInvoiced ? ", invoiced" : ""} on ${formatDate(on)}`;
}

function owedText({ price, isPaymentPending }: SubscriptionFacts & Charged, owed: number | null) {
  if (owed === 0) return null;
  const amount =
    owed === null
      ? `${formatMoney(price.unitAmount, price.currency)} before discounts and tax`
      : formatMoney(owed, price.currency);
  return `${amount}, ${isPaymentPending ? "on its way from your bank" : "due now"}`;
}
