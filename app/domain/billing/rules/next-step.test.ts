import { expect, test } from "vitest";
import type { SubscriptionStatus } from "#app/domain/access/subscription-state.ts";
import { SUBSCRIPTION } from "#tests/support/billing/subscription-row.ts";
import { nextStep } from "./next-step.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const LATER = new Date("2026-12-21T12:00:00Z");
const EARLIER = new Date("2026-10-02T12:00:00Z");
const ACCOUNT = "/user/account#subscription";

test.each<[SubscriptionStatus, { ends?: boolean; isOver?: boolean }, string, string, boolean]>([
  ["trialing", {}, "Watch something", "/content/video", false],
  ["trialing", { ends: true }, "Keep your subscription", ACCOUNT, false],
  ["active", {}, "Watch something", "/content/video", false],
  ["active", { ends: true }, "Keep your subscription", ACCOUNT, false],
  ["active", { ends: true, isOver: true }, "Subscribe again", "/subscribe", false],
  ["active", { isOver: true }, "Check again", "/subscribe/portal", true],
  ["past_due", {}, "Fix payment", "/subscribe/portal", true],
  ["unpaid", {}, "Fix payment", "/subscribe/portal", true],
  ["incomplete", {}, "Complete the payment", "/subscribe/portal", true],
  ["incomplete_expired", {}, "Choose a plan", "/subscribe", false],
  ["paused", {}, "Resume your subscription", ACCOUNT, false],
  ["canceled", {}, "Subscribe again", "/subscribe", false],
])("%s, %o: %s at %s", (status, { ends = false, isOver = false }, label, href, isPosted) => {
  const subscription = {
    ...SUBSCRIPTION,
    status,
    cancelAtPeriodEnd: ends,
    currentPeriodEnd: isOver ? EARLIER : LATER,
    endedAt: null,
    isCurrent: !isOver,
    isPaymentPending: false,
    hasBegun: true,
  };
  expect(nextStep(subscription, NOW, "stripe")).toEqual({ label, href, isPosted });
});

test.each([
  ["incomplete", "See what is free"],
  ["past_due", "See what is free"],
  ["unpaid", "See what is free"],
  ["active", "Watch something"],
] as const)("%s, with the money on its way: nothing has to be paid a second time", (status, step) => {
  const subscription = {
    ...SUBSCRIPTION,
    status,
    cancelAtPeriodEnd: false,
    currentPeriodEnd: LATER,
    endedAt: null,
    isCurrent: status === "active",
    isPaymentPending: true,
    hasBegun: status !== "incomplete",
  };
  const { label, isPosted } = nextStep(subscription, NOW, "stripe");
  expect([label, isPosted]).toEqual([step, false]);
});

test("a person who never had a subscription is shown the plans", () => {
  expect(nextStep(null, NOW, "stripe")).toEqual({
    label: "See the plans",
    href: "/subscribe",
    isPosted: false,
  });
});
