import { hasVisibleCharacter, TURNS_DIRECTION, trimInvisible } from "#app/texts.ts";
import type { FirstPeriod, Price } from "#db/schema/prices.ts";
import { formatMoney, parseMoney } from "../rules/format-money.ts";

export const MAX_PLAN_NAME = 100;
export const MAX_NUMBER_TEXT = 20;
const MAX_DAYS = 730;
const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

/** As typed in the studio or given to the command. No first period: both of its texts are empty. */
export interface PriceTexts {
  plan: string;
  amount: string;
  currency: string;
  days: string;
  firstDays: string;
  firstAmount: string;
}

/** `form`: of the price as a whole. */
export type PriceErrors = Partial<Record<keyof PriceTexts | "form", string>>;

export type WantedPrice = { plan: string } & Pick<
  Price,
  "currency" | "unitAmount" | "interval" | "intervalCount" | "firstPeriod"
>;

export function readPriceTexts(texts: PriceTexts): { wanted: WantedPrice } | { errors: PriceErrors } {
  const plan = trimInvisible(texts.plan);
  const currency = texts.currency.toLowerCase();
  const days = readDays(texts.days);
  const errors: PriceErrors = {};
  if (!hasVisibleCharacter(plan)) errors.plan = "Please enter the name of the plan.";
  else if (plan.length > MAX_PLAN_NAME || TURNS_DIRECTION.test(plan))
    errors.plan = `The name can have up to ${MAX_PLAN_NAME} characters, and none that turns the direction of text.`;
  if (days === null) errors.days = DAYS;
  if (!CURRENCIES.has(currency.toUpperCase())) {
    errors.currency = "Please enter the three letters of a currency, such as USD.";
    return { errors };
  }
  const unitAmount = parseMoney(texts.amount, currency);
  if (!unitAmount) errors.amount = amountError(currency);
  const firstPeriod = readFirstPeriod(texts, currency, errors);
  if (Object.keys(errors).length > 0 || unitAmount === null || days === null) return { errors };
  return { wanted: { plan, currency, unitAmount, interval: "day", intervalCount: days, firstPeriod } };
}

const DAYS = `Please enter a whole number of days, from 1 to ${MAX_DAYS}.`;

function amountError(currency: string): string {
  return `Please enter an amount with a point before its decimals, such as ${formatMoney(999, currency).replace(/[^\d.]/g, "")}.`;
}

function readFirstPeriod(
  { firstDays, firstAmount }: PriceTexts,
  currency: string,
  errors: PriceErrors,
): FirstPeriod | null {
  if (firstDays === "" && firstAmount === "") return null;
  const [days, amount] = [readDays(firstDays), parseMoney(firstAmount, currency)];
  if (days === null) errors.firstDays = DAYS;
  if (amount === null) errors.firstAmount = `${amountError(currency)} A free trial costs 0.`;
  return days === null || amount === null ? null : { days, amount };
}

function readDays(text: string): number | null {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= MAX_DAYS ? days : null;
}
