import { formatDate, formatDays } from "#app/dates.ts";
import { chargeDates, type Recurrence } from "../rules/charge-dates.ts";
import { formatInterval, formatMoney } from "../rules/format-money.ts";
import type { OfferedPlan } from "./plans.server.ts";

export type PlanView = ReturnType<typeof planView>;

const SAVING_WORTH_SAYING = 0.01;
const TITLES: Record<Recurrence["interval"], string> = {
  day: "Daily",
  week: "Weekly",
  month: "Monthly",
  year: "Yearly",
};

export function planView(plan: OfferedPlan, now: Date) {
  const { priceId, name, description, terms, termsHash } = plan;
  const { interval, intervalCount, currency, trialDays } = plan;
  const amount = formatMoney(plan.amount, currency);
  const { first, second } = chargeDates(plan, now);
  const isOne = intervalCount === 1;
  return {
    priceId,
    name,
    description,
    title: isOne ? TITLES[interval] : capital(formatInterval(plan)),
    amount,
    per: formatInterval(plan),
    monthly: interval === "month" && isOne ? null : `${formatMoney(plan.monthly, currency)} a month`,
    saving: plan.saving >= SAVING_WORTH_SAYING ? `${Math.round(plan.saving * 100)}% less` : null,
    trial: trialDays === null ? null : `${formatDays(trialDays)} free`,
    today: trialDays === null ? amount : formatMoney(0, currency),
    nextCharge: `${amount} on ${formatDate(trialDays === null ? second : first)}`,
    renewal: `${amount} ${formatInterval(plan, "every")}`,
    terms,
    termsHash,
  };
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
