import { dayWords } from "./day-words.ts";
import { moneyWords } from "./money-words.ts";
import { chargeDates } from "./next-charge.ts";
import type { Interval } from "./plan-price.ts";

export interface AgreedPlan {
  name: string;
  /** ISO 4217, lower case. */
  currency: string;
  /** In the currency's smallest unit, for one interval. */
  amount: number;
  interval: Interval;
  intervalCount: number;
  /** Null without a free trial. */
  trialDays: number | null;
  /** Whether the provider adds the tax of where the buyer lives. */
  hasTax: boolean;
}

/**
 * What stands beside the box that is ticked, word for word. It is stored as it was read, so a change of a word, a sum or a
 * date asks everybody who has the page open to read again.
 */
export function consentText(plan: AgreedPlan, now: Date): string {
  return [
    charges(plan, now),
    plan.hasTax ? "Tax is added where the law asks for it; the payment page shows it before I pay." : null,
    "I can cancel at any time, in two clicks in my account or by the link in every mail about my payments; what I have paid for stays open until its end.",
    "I ask for access at once, and know that a right to withdraw within 14 days ends with it where the law allows that.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** "every month", "every 3 months". */
export function everyWords({
  interval,
  intervalCount,
}: Pick<AgreedPlan, "interval" | "intervalCount">): string {
  return intervalCount === 1 ? `every ${interval}` : `every ${intervalCount} ${interval}s`;
}

function charges(plan: AgreedPlan, now: Date): string {
  const sum = moneyWords(plan.amount, plan.currency);
  const { first, second } = chargeDates(plan, now);
  const renewal = `It renews by itself: ${sum} is charged ${everyWords(plan)}`;
  if (plan.trialDays === null) {
    return `I subscribe to ${plan.name} for ${sum}, charged today, ${dayWords(first)}. ${renewal} from ${dayWords(second)} on, until I cancel.`;
  }
  const days = plan.trialDays === 1 ? "1 day" : `${plan.trialDays} days`;
  return `I subscribe to ${plan.name}, free for ${days} if I begin today. The first ${sum} is charged on ${dayWords(first)}, unless I cancel before that day. ${renewal} from then on, until I cancel.`;
}
