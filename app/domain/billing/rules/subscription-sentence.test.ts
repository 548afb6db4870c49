import { expect, test } from "vitest";
import type { SubscriptionStatus } from "#app/domain/access/subscription-state.ts";
import { SUBSCRIPTION } from "#tests/support/billing/subscription-row.ts";
import { type SubscriptionFacts, subscriptionSentence } from "./subscription-sentence.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const LATER = new Date("2026-12-21T12:00:00Z");
const EARLIER = new Date("2026-10-02T12:00:00Z");

function sentenceOf(given: Partial<SubscriptionFacts>): string {
  return subscriptionSentence({ ...SUBSCRIPTION, isCurrent: true, ...given }, NOW);
}

test("a member without a subscription gets a sentence, too", () => {
  expect(subscriptionSentence(null, NOW)).toBe("You have no subscription.");
});

test.each<[Partial<SubscriptionFacts>, string]>([
  [{}, "Your subscription is active and free until 21 December 2026 and then renews."],
  [{ cancelAtPeriodEnd: true }, "Your subscription is active and free until 21 December 2026 and then ends."],
  [
    { trialEndWithoutCard: "cancel" },
    "Your subscription is active and free until 21 December 2026. There is no payment method on file, so it ends then and you will not be charged.",
  ],
  [
    { collectionPause: "void" },
    "Your subscription is active and free until 21 December 2026. Payments are paused, so you will not be charged for now.",
  ],
  [
    { unknownSince: EARLIER },
    "Your subscription is free until 21 December 2026 and does not continue here after that. It was bought through a payment account that this site no longer uses.",
  ],
])("free days after a payment are no trial: %j", (given, sentence) => {
  const facts = { status: "trialing", hasPaid: true, currentPeriodEnd: LATER, ...given } as const;
  expect(sentenceOf(facts)).toBe(sentence);
});

test.each<[SubscriptionStatus, boolean, Date | null, Date, string]>([
  ["active", false, null, LATER, "Your subscription is active until 21 December 2026 and then renews."],
  ["active", true, null, LATER, "Your subscription is active until 21 December 2026 and then ends."],
  [
    "trialing",
    false,
    null,
    LATER,
    "Your trial lasts until 21 December 2026, and your subscription starts then.",
  ],
  ["trialing", true, null, LATER, "Your trial lasts until 21 December 2026 and then ends."],
  ["canceled", false, null, EARLIER, "Your subscription ended on 2 October 2026."],
  ["canceled", false, EARLIER, LATER, "Your subscription ended on 2 October 2026."],
  ["canceled", false, null, LATER, "Your subscription has ended."],
  [
    "past_due",
    false,
    null,
    LATER,
    "The last payment did not go through, so your access is paused until it does.",
  ],
  [
    "unpaid",
    false,
    null,
    LATER,
    "No payment has gone through for a while, so your access is paused until one does.",
  ],
  [
    "paused",
    false,
    null,
    LATER,
    "Your subscription is paused, and you will not be charged until you resume it.",
  ],
  [
    "incomplete",
    false,
    null,
    LATER,
    "The first payment is not complete, so your subscription has not started. It expires unless you complete the payment in time.",
  ],
  [
    "incomplete_expired",
    false,
    null,
    LATER,
    "The first payment was not completed in time, so you have no subscription.",
  ],
])(
  "%s, ending at the period's end: %s, ended: %s, period to %s",
  (status, ends, endedAt, periodEnd, words) => {
    const subscription = {
      status,
      cancelAtPeriodEnd: ends,
      endedAt,
      currentPeriodEnd: periodEnd,
      isCurrent: status !== "past_due",
      isPaymentPending: false,
      hasBegun: true,
    };
    expect(sentenceOf(subscription)).toBe(words);
  },
);

test("a failed payment is mentioned during the days of grace, too", () => {
  const subscription = {
    status: "past_due",
    cancelAtPeriodEnd: false,
    endedAt: null,
    currentPeriodEnd: LATER,
    isCurrent: true,
    isPaymentPending: false,
    hasBegun: true,
  } as const;
  expect(sentenceOf(subscription)).toBe(
    "The last payment did not go through. You keep your access for a few days, so that you can update your payment method.",
  );
});

test("after its period a subscription is being renewed, waits for a payment, or has ended as planned", () => {
  const over = { endedAt: null, currentPeriodEnd: EARLIER, isPaymentPending: false, hasBegun: true };
  for (const status of ["active", "trialing"] as const) {
    const words = (cancelAtPeriodEnd: boolean, isCurrent: boolean) =>
      sentenceOf({ ...over, status, cancelAtPeriodEnd, isCurrent });
    expect(words(false, true)).toBe(
      "Your subscription is being renewed. The renewal was due on 2 October 2026.",
    );
    expect(words(false, false)).toBe(
      "Your subscription was due for renewal on 2 October 2026. Your access returns as soon as the payment arrives.",
    );
    expect(words(true, false)).toBe("Your subscription ended on 2 October 2026.");
  }
});

test("a subscription unknown to the provider says until when it is paid, and that it does not renew here", () => {
  const sold = {
    unknownSince: EARLIER,
    endedAt: null,
    isPaymentPending: false,
    hasBegun: true,
    cancelAtPeriodEnd: false,
    currentPeriodEnd: LATER,
    isCurrent: true,
  };
  const why = "It was bought through a payment account that this site no longer uses.";
  expect(sentenceOf({ ...sold, status: "active" })).toBe(
    `Your subscription is paid until 21 December 2026 and does not continue here after that. ${why}`,
  );
  expect(sentenceOf({ ...sold, status: "trialing" })).toBe(
    `Your trial lasts until 21 December 2026 and does not continue here after that. ${why}`,
  );
  const closed = `Your subscription does not continue here. ${why}`;
  const past = { ...sold, currentPeriodEnd: EARLIER, isCurrent: false };
  for (const status of ["active", "past_due", "unpaid", "paused", "incomplete"] as const) {
    expect(sentenceOf({ ...past, status })).toBe(closed);
  }
  const ended = { ...past, status: "canceled" } as const;
  expect(sentenceOf(ended)).toBe("Your subscription ended on 2 October 2026.");
});

test("a pending bank transfer is mentioned, with the access that it gives", () => {
  const bank =
    "Your bank is sending the money, which can take a few days and rarely takes more than two weeks";
  const words = (status: SubscriptionStatus, isCurrent: boolean, cancelAtPeriodEnd = false) =>
    sentenceOf({
      status,
      isCurrent,
      cancelAtPeriodEnd,
      endedAt: null,
      currentPeriodEnd: LATER,
      isPaymentPending: true,
      hasBegun: status !== "incomplete",
    });
  expect(words("incomplete", true)).toBe(
    `${bank}. Your subscription starts automatically when the money arrives.`,
  );
  expect(words("past_due", true)).toBe(`${bank}. You keep your access for a few days in the meantime.`);
  expect(words("past_due", false)).toBe(`${bank}. Your access returns automatically when the money arrives.`);
  expect(words("unpaid", false)).toBe(`${bank}. Your access returns automatically when the money arrives.`);
  const meanwhile = "Your bank is still sending the money for this period.";
  const active = "Your subscription is active until 21 December 2026";
  expect(words("active", true)).toBe(`${active} and then renews. ${meanwhile}`);
  expect(words("active", true, true)).toBe(`${active} and then ends. ${meanwhile}`);
});

test("a subscription that ended before its first payment never started, and the sentence says so", () => {
  const given = { cancelAtPeriodEnd: false, endedAt: EARLIER, currentPeriodEnd: LATER, isCurrent: true };
  expect(sentenceOf({ ...given, status: "canceled", isPaymentPending: false, hasBegun: false })).toBe(
    "Your subscription was closed before its first payment, so it never started.",
  );
});

const ASKED = {
  requestedChange: "cancel",
  requestedAt: new Date("2026-11-21T11:05:00Z"),
  isRequestOpen: true,
} as const;
const RECORDED =
  "Your cancellation is recorded as of 21 November 2026, 11:05 UTC. We cannot reach the payment provider right now, and will send it the cancellation as soon as we can.";

test.each<[SubscriptionStatus, object, string]>([
  ["active", ASKED, `Your subscription is active until 21 December 2026. ${RECORDED}`],
  ["trialing", ASKED, `Your trial lasts until 21 December 2026. ${RECORDED}`],
  [
    "paused",
    ASKED,
    `Your subscription is paused, and you will not be charged until you resume it. ${RECORDED}`,
  ],
  // It was to end with its period, and is now to end at once.
  [
    "unpaid",
    { ...ASKED, cancelAtPeriodEnd: true },
    `No payment has gone through for a while, so your access is paused until one does. ${RECORDED}`,
  ],
  // Confirmed, settled, taken back or over: the second sentence is left out.
  [
    "active",
    { ...ASKED, cancelAtPeriodEnd: true },
    "Your subscription is active until 21 December 2026 and then ends.",
  ],
  [
    "active",
    { ...ASKED, isRequestOpen: false },
    "Your subscription is active until 21 December 2026 and then renews.",
  ],
  [
    "active",
    { ...ASKED, requestedChange: "keep" },
    "Your subscription is active until 21 December 2026 and then renews.",
  ],
  ["canceled", ASKED, "Your subscription has ended."],
])("%s, with what its owner has pressed: %o", (status, request, words) => {
  const facts = { currentPeriodEnd: LATER, cancelAtPeriodEnd: false, endedAt: null };
  const state = { isCurrent: true, isPaymentPending: false, hasBegun: true };
  expect(sentenceOf({ status, ...facts, ...state, ...request })).toBe(words);
});

const FAR = new Date("2027-03-01T12:00:00Z");

test.each<[string, Partial<SubscriptionFacts>, string]>([
  [
    "without an end",
    { collectionPause: "void" },
    "Your subscription is active. Payments are paused, so you will not be charged for now.",
  ],
  [
    "until a day after the renewal",
    { collectionPause: "mark_uncollectible", collectionResumesAt: FAR },
    "Your subscription is active. Payments are paused until 1 March 2027, so you will not be charged before that day.",
  ],
  [
    "with drafts, which may be charged later",
    { collectionPause: "keep_as_draft" },
    "Your subscription is active. Payments are paused, so you will not be charged for now. Invoices for this time are kept, and you may have to pay them later.",
  ],
  [
    "until before the renewal, which is charged",
    { collectionPause: "void", collectionResumesAt: new Date("2026-12-20T12:00:00Z") },
    "Your subscription is active until 21 December 2026 and then renews.",
  ],
  [
    "during a trial",
    { status: "trialing", collectionPause: "void" },
    "Your trial lasts until 21 December 2026, and your subscription starts then. Payments are paused, so you will not be charged for now.",
  ],
  [
    "at a renewal of which the event is late",
    { currentPeriodEnd: EARLIER, collectionPause: "void" },
    "Your subscription is active. Payments are paused, so you will not be charged for now.",
  ],
  [
    "after a cancellation",
    { cancelAtPeriodEnd: true, collectionPause: "void" },
    "Your subscription is active until 21 December 2026 and then ends.",
  ],
  [
    "after a failed payment, which stays due",
    { status: "past_due", isCurrent: false, collectionPause: "void" },
    "The last payment did not go through, so your access is paused until it does.",
  ],
])("payments paused %s", (_, given, words) => {
  expect(sentenceOf({ currentPeriodEnd: LATER, ...given })).toBe(words);
});

test.each<[string, Partial<SubscriptionFacts>, string]>([
  [
    "a trial without a payment method that ends",
    { status: "trialing", trialEndWithoutCard: "cancel" },
    "Your trial lasts until 21 December 2026. There is no payment method on file, so it ends then and you will not be charged.",
  ],
  [
    "a trial without a payment method that is paused",
    { status: "trialing", trialEndWithoutCard: "pause" },
    "Your trial lasts until 21 December 2026. There is no payment method on file, so your subscription is paused then and you will not be charged.",
  ],
  [
    "a cancellation within the period",
    { cancelAtPeriodEnd: true, cancelAt: new Date("2026-12-02T12:00:00Z") },
    "Your subscription is active until 2 December 2026 and then ends.",
  ],
  [
    "an end after this period",
    { cancelAt: FAR },
    "Your subscription is active until 21 December 2026 and then renews. It ends on 1 March 2027.",
  ],
  [
    "an invoice that is not paid",
    { status: "past_due", isInvoiced: true, isCurrent: false },
    "An invoice is unpaid, so your access is paused until you pay it.",
  ],
])("%s", (_, given, words) => {
  expect(sentenceOf({ currentPeriodEnd: LATER, ...given })).toBe(words);
});
