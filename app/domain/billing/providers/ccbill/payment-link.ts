import { createHash } from "node:crypto";
import { type CheckoutOrder, OrderRefused } from "../contract/provider.ts";
import { amountText, CURRENCIES, codeOf } from "./money.ts";
import { type CcbillSettings, formsOrigin } from "./settings.ts";

/** The variable of a link that selects the purchase. Buyers can change it, so the terms of the sale are compared, too. */
export const CHECKOUT = "peony_checkout";
/** The number of renewals that means: without end. */
export const ENDLESS = "99";
const MIN_AMOUNT = 295;
const MAX_AMOUNT = 10_000;
const RENEWAL_DAYS = [30, 60, 90];
const MIN_FIRST_DAYS = 3;
const MAX_FIRST_DAYS = 365;

type Terms = CheckoutOrder["terms"];

/** Why CCBill cannot sell this, in words; null when it can. Its support can change the limits for an account. */
export function unfitTerms({ currency, first, renewal }: Terms): string | null {
  if (codeOf(currency) === null)
    return `its currency is not ${CURRENCIES.join(", ")
      .toUpperCase()
      .replace(/, (\w+)$/, " or $1")}`;
  if (renewal === null) return "it does not renew";
  const periods = [first, renewal];
  if (periods.some(({ interval }) => interval !== "day")) return "its period is not a number of days";
  if (!RENEWAL_DAYS.includes(renewal.intervalCount)) return "its period is not 30, 60 or 90 days";
  if (first.intervalCount < MIN_FIRST_DAYS || first.intervalCount > MAX_FIRST_DAYS)
    return `its first period is not ${MIN_FIRST_DAYS} to ${MAX_FIRST_DAYS} days`;
  if (first.amount === 0) return "its first period is free";
  const isOutside = periods.some(({ amount }) => amount < MIN_AMOUNT || amount > MAX_AMOUNT);
  return isOutside ? `it does not cost ${amountText(MIN_AMOUNT)} to ${amountText(MAX_AMOUNT)}` : null;
}

/** A function of the order alone: CCBill learns of it only when somebody opens it, and it can be paid for ever. */
export function paymentLink({ checkoutId, terms }: CheckoutOrder, settings: CcbillSettings): string {
  const unfit = unfitTerms(terms);
  if (unfit !== null) throw new OrderRefused(`The payment provider cannot sell this plan: ${unfit}.`);
  const { clientAccnum, clientSubacc, flexId, salt } = settings;
  const price = dynamicPrice(terms);
  const link = new URL(`/wap-frontflex/flexforms/${flexId}`, formsOrigin(settings));
  const parameters = {
    clientAccnum,
    clientSubacc,
    ...price,
    formDigest: formDigest(Object.values(price), salt),
    [CHECKOUT]: checkoutId,
  };
  for (const [name, value] of Object.entries(parameters)) link.searchParams.set(name, value);
  return link.href;
}

/** In the order of the digest. */
function dynamicPrice({ currency, first, renewal }: Terms): Record<string, string> {
  const recurring = renewal && {
    recurringPrice: amountText(renewal.amount),
    recurringPeriod: String(renewal.intervalCount),
    numRebills: ENDLESS,
  };
  return {
    initialPrice: amountText(first.amount),
    initialPeriod: String(first.intervalCount),
    ...recurring,
    currencyCode: codeOf(currency) ?? "",
  };
}

/** MD5 is CCBill's choice: "How to Create the formDigest Value". */
export function formDigest(values: string[], salt: string): string {
  return createHash("md5")
    .update(values.join("") + salt)
    .digest("hex");
}
