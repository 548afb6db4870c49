import { chargeDates } from "../rules/charge-dates.ts";
import { formatFrequency } from "../rules/consent-text.ts";
import { formatDate } from "../rules/format-date.ts";
import { formatInterval, formatMoney } from "../rules/format-money.ts";
import type { Interval } from "../rules/plan-price.ts";
import type { OfferedPlan } from "./offer.server.ts";

export interface PlanView {
  priceId: string;
  title: string;
  name: string;
  description: string;
  /** "$119.00" and "a year". */
  sum: string;
  per: string;
  /** "$9.92 a month"; null for a plan of one month. */
  monthly: string | null;
  /** "34 % less"; null below 1 %. */
  saving: string | null;
  trial: string | null;
  today: string;
  nextCharge: string;
  renewal: string;
  terms: string;
  termsHash: string;
}

const SAVING_WORTH_SAYING = 0.01;
const TITLES: Record<Interval, string> = { day: "Daily", week: "Weekly", month: "Monthly", year: "Yearly" };

export function planView(plan: OfferedPlan, now: Date): PlanView {
  const { interval, intervalCount, currency, trialDays } = plan;
  const sum = formatMoney(plan.amount, currency);
  const { first, second } = chargeDates(plan, now);
  const isOne = intervalCount === 1;
  return {
    priceId: plan.priceId,
    title: isOne ? TITLES[interval] : capital(formatFrequency(plan)),
    name: plan.name,
    description: plan.description,
    sum,
    per: formatInterval(interval, intervalCount),
    monthly: interval === "month" && isOne ? null : `${formatMoney(plan.monthly, currency)} a month`,
    saving: plan.saving >= SAVING_WORTH_SAYING ? `${Math.round(plan.saving * 100)} % less` : null,
    trial: trialDays === null ? null : `${trialDays === 1 ? "1 day" : `${trialDays} days`} free`,
    today: trialDays === null ? sum : formatMoney(0, currency),
    nextCharge: `${sum} on ${formatDate(trialDays === null ? second : first)}`,
    renewal: `${sum} ${formatFrequency(plan)}`,
    terms: plan.terms,
    termsHash: plan.termsHash,
  };
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
