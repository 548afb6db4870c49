import { Problem } from "../stand-in/problem.ts";
import { formDigest } from "./digests.ts";
import { centsOf, isCurrency, written } from "./money.ts";
import type { CcbillSettings } from "./settings.ts";

export interface Order {
  initialPrice: string;
  /** Periods are days. */
  initialPeriod: number;
  recurring: { price: string; period: number; rebills: number } | null;
  currencyCode: string;
}

/** This number of rebills has no end. */
export const ENDLESS = 99;
const MIN_CENTS = 295;
const MAX_CENTS = 10_000;
const RECURRING_PERIODS = [30, 60, 90];

/** @throws {Problem} with a sentence for the page, which CCBill shows with the status 200 */
export function readOrder(link: URLSearchParams, flexId: string, settings: CcbillSettings): Order {
  const textOf = (name: string) => link.get(name) ?? "";
  const isOurs = ["clientAccnum", "clientSubacc"].every(
    (name) => textOf(name) === settings[name as "clientAccnum" | "clientSubacc"],
  );
  refuseUnless(flexId === settings.flexId && isOurs, "no such account, subaccount or form");
  refuseUnless(!link.has("formName"), "formName belongs to the older forms");
  refuseUnless(textOf("formDigest") === formDigest(link, settings.salt), "formDigest does not match");
  refuseUnless(isCurrency(textOf("currencyCode")), "currencyCode is not accepted");
  const order: Order = {
    initialPrice: textOf("initialPrice"),
    initialPeriod: wholeOf(textOf("initialPeriod")),
    recurring: link.has("recurringPrice")
      ? {
          price: textOf("recurringPrice"),
          period: wholeOf(textOf("recurringPeriod")),
          rebills: wholeOf(textOf("numRebills")),
        }
      : null,
    currencyCode: textOf("currencyCode"),
  };
  refuseUnlessSellable(order);
  return order;
}

export function isEndless(rebills: number): boolean {
  return rebills === ENDLESS;
}

/** "$2.95(USD) for 3 days then $9.99(USD) recurring every 30 days" */
export function termsOf({ initialPrice, initialPeriod, recurring, currencyCode }: Order): string {
  const first = `${written(initialPrice, currencyCode)} for ${initialPeriod} days`;
  if (recurring === null) return first;
  return `${first} then ${written(recurring.price, currencyCode)} recurring every ${recurring.period} days`;
}

function refuseUnlessSellable({ initialPrice, initialPeriod, recurring }: Order): void {
  for (const price of [initialPrice, ...(recurring ? [recurring.price] : [])]) {
    const cents = centsOf(price);
    refuseUnless(
      cents !== null && cents >= MIN_CENTS && cents <= MAX_CENTS,
      "a price is not between 2.95 and 100.00",
    );
  }
  const shortest = recurring ? 3 : 2;
  refuseUnless(initialPeriod >= shortest && initialPeriod <= 365, "initialPeriod is too short or too long");
  if (!recurring) return;
  refuseUnless(RECURRING_PERIODS.includes(recurring.period), "recurringPeriod is not 30, 60 or 90");
  refuseUnless(recurring.rebills >= 1 && recurring.rebills <= ENDLESS, "numRebills is not between 1 and 99");
}

function refuseUnless(condition: boolean, reason: string): void {
  if (condition) return;
  throw new Problem(200, `Error 500: the dynamic price cannot be shown, because ${reason}.`);
}

function wholeOf(text: string): number {
  return /^\d{1,3}$/.test(text) ? Number(text) : -1;
}
