import { formatDate, formatDays } from "#app/dates.ts";
import { chargeDates, type Recurrence } from "./charge-dates.ts";
import { formatInterval, formatMoney } from "./format-money.ts";
import { WITHDRAWAL_DAYS } from "./withdrawal-period.ts";

export interface PlanTerms extends Recurrence {
  name: string;
  currency: string;
  amount: number;
  trialDays: number | null;
  hasTax: boolean;
}

/** The wording beside the consent box. It is stored as read, so any changed word, sum or date needs new consent. */
export function consentText(plan: PlanTerms, now: Date): string {
  return [
    charges(plan, now),
    plan.hasTax ? "Tax is added where the law asks for it; the payment page shows it before I pay." : null,
    "I can cancel at any time, in two clicks in my account or by the link in every mail about my payments; what I have paid for stays open until its end.",
    `I ask for access at once, and know that a right to withdraw within ${formatDays(WITHDRAWAL_DAYS)} ends with it where the law allows that.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function charges(plan: PlanTerms, now: Date): string {
  const sum = formatMoney(plan.amount, plan.currency);
  const { first, second } = chargeDates(plan, now);
  const renewal = `It renews by itself: ${sum} is charged ${formatInterval(plan, "every")}`;
  if (plan.trialDays === null) {
    return `I subscribe to ${plan.name} for ${sum}, charged today, ${formatDate(first)}. ${renewal} from ${formatDate(second)} (UTC) on, until I cancel.`;
  }
  return `I subscribe to ${plan.name}, free for ${formatDays(plan.trialDays)} if I begin today. The first ${sum} is charged on ${formatDate(first)} (UTC), unless I cancel before that day. ${renewal} from then on, until I cancel.`;
}
