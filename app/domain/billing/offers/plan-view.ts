import { formatDate, formatDays } from "#app/dates.ts";
import type { FirstPeriod } from "#db/schema/prices.ts";
import { chargeDates, type Recurrence } from "../rules/charge-dates.ts";
import { formatFirstPeriod, formatInterval, formatMoney, formatPeriod } from "../rules/format-money.ts";
import { isFreeTrial } from "../rules/purchase-terms.ts";
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
  const { interval, intervalCount, currency, firstPeriod, isPrepaid } = plan;
  const amount = formatMoney(plan.amount, currency);
  const { first, second } = chargeDates(plan, now);
  const isOne = intervalCount === 1;
  return {
    priceId,
    name,
    description,
    title: isPrepaid ? capital(formatPeriod(plan)) : isOne ? TITLES[interval] : capital(formatInterval(plan)),
    amount,
    per: isPrepaid ? `for ${formatPeriod(plan)}` : formatInterval(plan),
    // A price by days is never said to be one by months.
    monthly:
      interval === "day" || (interval === "month" && isOne)
        ? null
        : `${formatMoney(plan.monthly, currency)} a month`,
    saving: plan.saving >= SAVING_WORTH_SAYING ? `${Math.round(plan.saving * 100)}% less` : null,
    firstPeriod: firstPeriod && firstNote(firstPeriod, currency),
    today: firstPeriod ? formatMoney(firstPeriod.amount, currency) : amount,
    todayNote: isPrepaid ? ` for ${formatPeriod(plan)}, paid once` : firstPeriod && todayNote(firstPeriod),
    /** Null when nothing more is charged. */
    renewal: isPrepaid
      ? null
      : {
          label: isFreeTrial(firstPeriod) ? "First charge" : "Next charge",
          next: `${amount} on ${formatDate(firstPeriod ? first : second)}`,
          later: `${amount} ${formatInterval(plan, "every")}, until you cancel`,
        },
    terms,
    termsHash,
  };
}

/** Beside the price of the periods after it. */
function firstNote(firstPeriod: FirstPeriod, currency: string): string {
  return `${firstPeriod.amount === 0 ? "" : "First "}${formatFirstPeriod(firstPeriod, currency)}`;
}

/** Follows the amount. */
function todayNote({ days, amount }: FirstPeriod): string {
  return amount === 0 ? `, ${formatDays(days)} free` : ` for the first ${formatDays(days)}`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
