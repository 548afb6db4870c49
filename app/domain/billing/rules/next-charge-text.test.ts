import { expect, test } from "vitest";
import type { SubscriptionStatus } from "#app/domain/access/subscription-state.ts";
import { subscriptionStatus } from "#db/schema/subscriptions.ts";
import { SUBSCRIPTION } from "#tests/support/billing/subscription-row.ts";
import {
  chargeText,
  keptChargeSentence,
  lastChargeSentence,
  nextChargeText,
  unchargedText,
} from "./next-charge-text.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const LATER = new Date("2026-12-21T12:00:00Z");
const EARLIER = new Date("2026-11-20T12:00:00Z");
const PRICE = { unitAmount: 1499, currency: "usd" };

const subscription = (
  status: SubscriptionStatus,
  given: {
    currentPeriodEnd?: Date;
    cancelAtPeriodEnd?: boolean;
    isCurrent?: boolean;
    isPaymentPending?: boolean;
  } = {},
) => ({
  ...SUBSCRIPTION,
  status,
  nextAmount: 1499,
  price: PRICE,
  currentPeriodEnd: LATER,
  cancelAtPeriodEnd: false,
  isCurrent: true,
  isPaymentPending: false,
  ...given,
});

test("an amount is stated as certain only when the provider has calculated it", () => {
  const words = (nextAmount: number | null) =>
    chargeText({ nextAmount, isInvoiced: false, price: PRICE }, LATER);
  expect(words(1499)).toBe("$14.99 on 21 December 2026");
  expect(words(1199)).toBe("$11.99 on 21 December 2026, including discounts, credit and tax");
  expect(words(0)).toBe("$0.00 on 21 December 2026, including discounts, credit and tax");
  expect(words(null)).toBe("$14.99 on 21 December 2026, before discounts and tax");
});

test.each<[SubscriptionStatus, number | null, string | null]>([
  ["trialing", null, "$14.99 on 21 December 2026"],
  ["active", null, "$14.99 on 21 December 2026"],
  ["past_due", 1199, "$11.99, due now"],
  ["past_due", null, "$14.99 before discounts and tax, due now"],
  // The host has canceled the invoice or written it off.
  ["past_due", 0, null],
  ["unpaid", 0, null],
  ["unpaid", 2998, "$29.98, due now"],
  ["incomplete", 1499, "$14.99, due now"],
  ["paused", null, null],
  ["canceled", null, null],
  ["canceled", 750, "$7.50, due now"],
  ["incomplete_expired", null, null],
])("%s, owing %s: %s", (status, owed, words) => {
  expect(nextChargeText(subscription(status), owed, NOW)).toBe(words);
});

test("whoever may keep a canceled subscription reads what is charged then, without the amount of the cancellation", () => {
  const canceled = subscription("active", { cancelAtPeriodEnd: true });
  const sentence = "If you keep it, the next charge is $14.99 on 21 December 2026, before discounts and tax.";
  expect(keptChargeSentence({ ...canceled, nextAmount: 0 })).toBe(sentence);
  expect(keptChargeSentence({ ...canceled, status: "trialing", nextAmount: 750 })).toBe(sentence);
  expect(keptChargeSentence({ ...subscription("active"), nextAmount: 1499 })).toBe(
    "If you keep it, the next charge is $14.99 on 21 December 2026.",
  );
  for (const uncharged of [
    { ...canceled, provider: "demo" },
    { ...canceled, status: "past_due" as const },
    { ...canceled, status: "trialing" as const, trialEndWithoutCard: "cancel" as const },
    { ...canceled, collectionPause: "void" as const },
  ])
    expect(keptChargeSentence(uncharged)).toBeNull();
});

test("a pending payment is not requested again", () => {
  const pending = subscription("incomplete", { isPaymentPending: true });
  expect(nextChargeText(pending, 1499, NOW)).toBe("$14.99, on its way from your bank");
  const ended = subscription("canceled", { isPaymentPending: true });
  expect(nextChargeText(ended, 750, NOW)).toBe("$7.50, on its way from your bank");
});

test("a past day is never named as the next charge", () => {
  for (const status of subscriptionStatus.enumValues) {
    for (const isCurrent of [true, false]) {
      const words = nextChargeText(subscription(status, { currentPeriodEnd: EARLIER, isCurrent }), null, NOW);
      expect(words ?? "").not.toContain("2026");
    }
  }
  const over = { currentPeriodEnd: EARLIER };
  expect(nextChargeText(subscription("active", over), null, NOW)).toBe("Being charged now");
  expect(nextChargeText(subscription("active", { ...over, isCurrent: false }), null, NOW)).toBe("Unknown");
});

test("after a cancellation only charges not billed yet are due, at its end", () => {
  const canceled = { ...subscription("active"), cancelAtPeriodEnd: true, nextAmount: null };
  // The provider has not said what is due.
  expect(nextChargeText(canceled, null, NOW)).toBe("No renewal charge");
  expect(lastChargeSentence(canceled)).toBe("It does not renew.");
  const cardless = { ...canceled, status: "trialing", trialEndWithoutCard: "cancel" } as const;
  expect(nextChargeText(cardless, null, NOW)).toBe("None, because there is no payment method on file");
  expect(lastChargeSentence(cardless)).toBe("You will not be charged.");
  const paused = { ...canceled, collectionPause: "void" } as const;
  expect(nextChargeText(paused, null, NOW)).toBe("None, while payments are paused");
  // Credit for a smaller plan is not paid out.
  expect(nextChargeText({ ...canceled, nextAmount: 0 }, null, NOW)).toBeNull();
  expect(lastChargeSentence({ ...canceled, nextAmount: 0 })).toBe("You will not be charged again.");
  expect(lastChargeSentence({ ...canceled, status: "past_due" })).toContain("is still due");
  const changed = { ...canceled, nextAmount: 750, cancelAt: new Date("2026-12-10T12:00:00Z") };
  const last = "$7.50 on 10 December 2026, for charges not billed yet";
  expect(nextChargeText(changed, null, NOW)).toBe(last);
  // Also read when the receipt has come already.
  expect(lastChargeSentence(changed)).toBe(`Its last charge is ${last}. A receipt confirms the payment.`);
});

test.each<[string, Partial<typeof SUBSCRIPTION>, string | null]>([
  ["paused payments", { collectionPause: "void" }, null],
  [
    "payments paused beyond the renewal",
    { collectionPause: "void", collectionResumesAt: new Date("2027-03-01") },
    null,
  ],
  [
    "payments paused until before the renewal",
    { collectionPause: "keep_as_draft", collectionResumesAt: NOW },
    "$14.99 on 21 December 2026",
  ],
  ["a trial without a payment method", { status: "trialing", trialEndWithoutCard: "cancel" }, null],
  ["a subscription that is paid by hand", { isInvoiced: true }, "$14.99, invoiced on 21 December 2026"],
])("%s: the next charge is as the provider makes it", (_, given, expected) => {
  const facts = { ...SUBSCRIPTION, currentPeriodEnd: LATER, isCurrent: true, nextAmount: 1499, price: PRICE };
  expect(nextChargeText({ ...facts, ...given }, null, NOW)).toBe(expected);
});

test("emails say why nothing is charged", () => {
  const paused = { ...SUBSCRIPTION, collectionPause: "void" as const };
  expect(unchargedText(paused, LATER)).toBe("None, while payments are paused");
  expect(unchargedText({ ...paused, collectionResumesAt: new Date("2027-03-01") }, LATER)).toBe(
    "None before 1 March 2027, while payments are paused",
  );
  expect(unchargedText({ ...paused, collectionResumesAt: LATER }, LATER)).toBeNull();
});
