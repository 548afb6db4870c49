import { expect, test } from "vitest";
import { ccbillSettings } from "#tests/support/billing/ccbill-settings.ts";
import type { CheckoutOrder } from "../contract/provider.ts";
import { formDigest, paymentLink, unfitTerms } from "./payment-link.ts";

const settings = ccbillSettings();
type Terms = CheckoutOrder["terms"];
const days = (amount: number, intervalCount: number) => ({ amount, interval: "day" as const, intervalCount });
const monthly: Terms = { currency: "usd", first: days(999, 30), renewal: days(999, 30) };
const trial: Terms = { currency: "eur", first: days(295, 3), renewal: days(1995, 30) };

function linkOf(terms: Terms): URL {
  const urls = { returnUrl: "http://localhost", cancelUrl: "http://localhost" };
  const order = { checkoutId: "c-1", customerId: "", priceId: "", currency: "", firstPeriod: null, ...urls };
  return new URL(paymentLink({ ...order, terms }, settings));
}

test("the digests are those of CCBill's documentation and of its accounts", () => {
  expect(formDigest(["10.00", "30", "840"], settings.salt)).toBe("a7459445d0e5dc0963fe736dc5cf900b");
  expect(linkOf(monthly).searchParams.get("formDigest")).toBe("edf00dfe9716c774077d0393e7e7ece2");
  expect(linkOf(trial).searchParams.get("formDigest")).toBe("840f5bfbad211dcc1836e3e35afbfae3");
});

test("a link names the account, the price and the purchase, and no person", () => {
  const { origin, pathname, searchParams } = linkOf(trial);
  expect(origin + pathname).toBe(`https://api.ccbill.com/wap-frontflex/flexforms/${settings.flexId}`);
  expect(Object.fromEntries(searchParams)).toEqual({
    clientAccnum: "900100",
    clientSubacc: "0000",
    initialPrice: "2.95",
    initialPeriod: "3",
    recurringPrice: "19.95",
    recurringPeriod: "30",
    numRebills: "99",
    currencyCode: "978",
    formDigest: "840f5bfbad211dcc1836e3e35afbfae3",
    peony_checkout: "c-1",
  });
  expect(linkOf({ ...monthly, currency: "aud" }).searchParams.get("currencyCode")).toBe("036");
});

test("what CCBill cannot sell is refused in words", () => {
  expect([unfitTerms(monthly), unfitTerms(trial)]).toEqual([null, null]);
  const month = { amount: 999, interval: "month" as const, intervalCount: 1 };
  const unfit: [Terms, string][] = [
    [{ ...monthly, currency: "jpy" }, "its currency is not USD, EUR, GBP, CAD or AUD"],
    [{ ...monthly, renewal: null }, "it does not renew"],
    [{ ...monthly, first: month, renewal: month }, "its period is not a number of days"],
    [{ ...monthly, renewal: days(999, 31) }, "its period is not 30, 60 or 90 days"],
    [{ ...trial, first: days(295, 2) }, "its first period is not 3 to 365 days"],
    [{ ...trial, first: days(0, 7) }, "its first period is free"],
    [{ ...trial, first: days(294, 7) }, "it does not cost 2.95 to 100.00"],
    [{ ...monthly, renewal: days(10_001, 30) }, "it does not cost 2.95 to 100.00"],
  ];
  for (const [terms, reason] of unfit) {
    expect(unfitTerms(terms)).toBe(reason);
    expect(() => linkOf(terms)).toThrow(reason);
  }
});
