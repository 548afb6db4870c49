import type { SubscriptionStatus } from "./access.ts";
import { dayWords } from "./day-words.ts";
import { moneyWords } from "./money-words.ts";

interface Charged {
  /** In the currency's smallest unit, as the provider has worked it out; null when it has not said. */
  nextAmount: number | null;
  /** As listed: before codes, credit and tax. */
  price: { unitAmount: number; currency: string };
}

interface Subscription extends Charged {
  status: SubscriptionStatus;
  currentPeriodEnd: Date;
  cancelAtPeriodEnd: boolean;
  unknownSince?: Date | null;
  isCurrent: boolean;
  isPaymentPending: boolean;
}

/** What is charged next, and when: "$14.99 on 21 December 2026". A sum that is not certain says so. */
export function chargeWords({ nextAmount, price }: Charged, on: string): string {
  const listed = moneyWords(price.unitAmount, price.currency);
  if (nextAmount === null) return `${listed} on ${on}, before discounts and tax`;
  const sum = `${moneyWords(nextAmount, price.currency)} on ${on}`;
  return nextAmount === price.unitAmount ? sum : `${sum}, with discounts, credit and tax`;
}

/** What a subscription will take next. `owed`: what is open of it, in the smallest unit. Null when nothing will be taken. */
export function nextChargeWords(
  subscription: Subscription,
  owed: number | null,
  now = new Date(),
): string | null {
  const { status, price, cancelAtPeriodEnd, currentPeriodEnd, isCurrent, isPaymentPending } = subscription;
  if (subscription.unknownSince) return null;
  switch (status) {
    case "past_due":
    case "unpaid":
    case "incomplete":
      return `${owedWords(owed, price)}, ${isPaymentPending ? "on its way from your bank" : "due now"}`;
    case "trialing":
    case "active":
      if (cancelAtPeriodEnd) return null;
      if (currentPeriodEnd > now) return chargeWords(subscription, dayWords(currentPeriodEnd));
      return isCurrent ? "Being taken now" : "Not known";
    default:
      return null;
  }
}

function owedWords(owed: number | null, { unitAmount, currency }: Charged["price"]): string {
  return owed === null
    ? `${moneyWords(unitAmount, currency)} before discounts and tax`
    : moneyWords(owed, currency);
}
