import { everyWords } from "./consent-text.ts";
import { dayWords } from "./day-words.ts";
import { intervalWords, moneyWords } from "./money-words.ts";
import { chargeDates } from "./next-charge.ts";
import type { OfferedPlan } from "./offer.server.ts";
import type { Interval } from "./plan-price.ts";

/** A plan in the words of the offer. */
export interface PlanView {
  priceId: string;
  /** "Monthly". */
  title: string;
  /** Of what is sold. */
  name: string;
  description: string;
  /** "$119.00", and "a year". */
  sum: string;
  per: string;
  /** "$9.92 a month"; null for a plan of one month. */
  monthly: string | null;
  /** "34 % less"; null when it is not worth a word. */
  saving: string | null;
  /** "7 days free"; null without a trial. */
  trial: string | null;
  /** Due at once. */
  today: string;
  /** "$119.00 on 21 November 2027". */
  nextCharge: string;
  /** "$119.00 every year". */
  renewal: string;
  /** What has to be agreed to, word for word, and its sha256. */
  terms: string;
  termsHash: string;
}

const SAVING_WORTH_SAYING = 0.01;
const TITLES: Record<Interval, string> = { day: "Daily", week: "Weekly", month: "Monthly", year: "Yearly" };

export function planView(plan: OfferedPlan, now: Date): PlanView {
  const { interval, intervalCount, currency, trialDays } = plan;
  const sum = moneyWords(plan.amount, currency);
  const { first, second } = chargeDates(plan, now);
  const isOne = intervalCount === 1;
  return {
    priceId: plan.priceId,
    title: isOne ? TITLES[interval] : capital(everyWords(plan)),
    name: plan.name,
    description: plan.description,
    sum,
    per: intervalWords(interval, intervalCount),
    monthly: interval === "month" && isOne ? null : `${moneyWords(plan.monthly, currency)} a month`,
    saving: plan.saving >= SAVING_WORTH_SAYING ? `${Math.round(plan.saving * 100)} % less` : null,
    trial: trialDays === null ? null : `${trialDays === 1 ? "1 day" : `${trialDays} days`} free`,
    today: trialDays === null ? sum : moneyWords(0, currency),
    nextCharge: `${sum} on ${dayWords(trialDays === null ? second : first)}`,
    renewal: `${sum} ${everyWords(plan)}`,
    terms: plan.terms,
    termsHash: plan.termsHash,
  };
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
