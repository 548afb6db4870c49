import { expect, test } from "vitest";
import type { SubscriptionStatus } from "#app/domain/access/subscription-state.ts";
import { subscriptionStatus } from "#db/schema/subscriptions.ts";
import { SUBSCRIPTION } from "#tests/support/billing/subscription-row.ts";
import { blocksPurchase } from "../rules/blocks-purchase.ts";
import { cancellationState } from "../rules/cancellation-state.ts";
import { nextStep } from "../rules/next-step.ts";
import { currentPlan, pastSentence } from "./current-plan.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const LATER = new Date("2026-12-21T12:00:00Z");
const EARLIER = new Date("2026-10-02T12:00:00Z");
const SELLS: Partial<Record<SubscriptionStatus, "always" | "when over">> = {
  canceled: "always",
  incomplete_expired: "always",
  trialing: "when over",
  active: "when over",
};

const product = { id: "prod", name: "All access", description: "", active: true, image: null, metadata: {} };
const monthly = { currency: "usd", unitAmount: 1499, interval: "month" as const, intervalCount: 1 };
const PRICE = { ...product, ...monthly, id: "monthly", productId: "prod", firstPeriod: null, product };

const cases = subscriptionStatus.enumValues.flatMap((status) =>
  [true, false].flatMap((ends) => [EARLIER, LATER].map((periodEnd) => ({ status, ends, periodEnd }))),
);

function subscriptionOf({ status, ends, periodEnd }: (typeof cases)[number]) {
  return {
    ...SUBSCRIPTION,
    status,
    cancelAtPeriodEnd: ends,
    currentPeriodEnd: periodEnd,
    endedAt: null,
    isCurrent: periodEnd > NOW,
    isPaymentPending: false,
    hasBegun: true,
  };
}

test.each(cases)(
  "$status, to end: $ends, period to $periodEnd: the next step offers exactly what may be bought",
  (given) => {
    const { status, ends, periodEnd } = given;
    const subscription = subscriptionOf(given);
    const mayBuy = SELLS[status] === "always" || (SELLS[status] === "when over" && ends && periodEnd < NOW);
    expect(blocksPurchase(subscription, NOW, "stripe")).toBe(!mayBuy);
    expect(nextStep(subscription, NOW, "stripe").href === "/subscribe").toBe(mayBuy);
  },
);

test.each(cases)(
  "$status, to end: $ends, period to $periodEnd: canceling is offered exactly where it still changes something",
  (given) => {
    const subscription = { ...subscriptionOf(given), price: PRICE, state: "running" as const };
    const { kind } = cancellationState(subscription, NOW);
    const plan = currentPlan(subscription, { now: NOW, seller: "stripe", hasPortal: false });
    expect(plan?.canCancel ?? false).toBe(kind === "atPeriodEnd" || kind === "now");
  },
);

test.each(cases)(
  "$status, to end: $ends, period to $periodEnd: unknown to the provider, it blocks no purchase",
  (given) => {
    const subscription = { ...subscriptionOf(given), unknownSince: EARLIER };
    expect(blocksPurchase(subscription, NOW, "stripe")).toBe(false);
    expect(nextStep(subscription, NOW, "stripe").href).toBe("/subscribe");
  },
);

test("beside the offer, a prepaid period says where the next one begins", () => {
  const currentPeriodEnd = new Date("2026-11-22T12:00:00Z");
  const running = subscriptionOf({ status: "active", ends: false, periodEnd: currentPeriodEnd });
  const prepaid = { ...running, price: PRICE, state: "prepaid" as const, isPrepaid: true, provider: "own" };
  expect(pastSentence(prepaid, { now: NOW, seller: "own" })).toContain("begins when this one ends");
  expect(pastSentence(prepaid, { now: NOW, seller: "other" })).toContain(
    "begins right away, so it overlaps with up to two days",
  );
});
