import { formatDate, formatDays } from "#app/dates.ts";
import type { Price } from "#db/schema/prices.ts";
import { chargeDates, type Recurrence } from "./charge-dates.ts";
import { formatInterval, formatMoney, formatPeriod } from "./format-money.ts";
import { WITHDRAWAL_DAYS } from "./withdrawal-period.ts";

export interface ConsentFacts extends Recurrence, Pick<Price, "firstPeriod"> {
  name: string;
  currency: string;
  amount: number;
  hasTax: boolean;
  /** One period is paid, and nothing renews. */
  isPrepaid: boolean;
}

/** Stored as the buyer read it, so a changed word, amount or date needs new consent. */
export function consentText(plan: ConsentFacts, now: Date): string {
  return [
    plan.isPrepaid ? prepayment(plan) : charges(plan, now),
    plan.hasTax ? "Tax is added where the law requires it. The payment page shows it before I pay." : null,
    plan.isPrepaid ? null : CANCELING,
    `I ask for immediate access, and I know that it ends any right to withdraw within ${formatDays(WITHDRAWAL_DAYS)} where the law allows that.`,
  ]
    .filter(Boolean)
    .join(" ");
}

const CANCELING =
  "I can cancel at any time, with two clicks in my account or with the link in every email about my payments. I keep my access until the end of the period that I have paid for.";

function prepayment(plan: ConsentFacts): string {
  const amount = formatMoney(plan.amount, plan.currency);
  return `I subscribe to ${plan.name} for ${formatPeriod(plan)} and pay ${amount} once. It does not renew, and I am not charged again. The period begins with my payment or, if I have already paid for a period in this way, when that one ends.`;
}

function charges(plan: ConsentFacts, now: Date): string {
  const amount = formatMoney(plan.amount, plan.currency);
  const { first, second } = chargeDates(plan, now);
  const renewal = `It renews automatically: ${amount} is charged ${formatInterval(plan, "every")}`;
  const { firstPeriod } = plan;
  if (firstPeriod === null) {
    return `I subscribe to ${plan.name} for ${amount}, charged today, ${formatDate(first)}. ${renewal} from ${formatDate(second)} (UTC) until I cancel.`;
  }
  const days = formatDays(firstPeriod.days);
  if (firstPeriod.amount > 0) {
    const paid = formatMoney(firstPeriod.amount, plan.currency);
    return `I subscribe to ${plan.name} for ${paid} for the first ${days}, charged today, ${formatDate(now)}. ${renewal} from ${formatDate(first)} (UTC) until I cancel.`;
  }
  return `I subscribe to ${plan.name}, free for ${days} if I start today. The first ${amount} is charged on ${formatDate(first)} (UTC), unless I cancel before that day. ${renewal} from then on until I cancel.`;
}
