import { expect, test } from "vitest";
import { SUBSCRIPTION } from "#tests/support/billing/subscription-row.ts";
import { capabilitiesOf, DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import { blocksPurchase } from "./blocks-purchase.ts";
import { canCancel, cancellationState } from "./cancellation-state.ts";
import { keptChargeSentence, nextChargeText } from "./next-charge-text.ts";
import { nextStep } from "./next-step.ts";
import { subscriptionSentence } from "./subscription-sentence.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const hoursAhead = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const PRICE = { unitAmount: 1499, currency: "usd" };

/** Of a provider that can do nothing but charge. */
const bare = (given: Partial<typeof SUBSCRIPTION> & { isCurrent?: boolean } = {}) => ({
  ...SUBSCRIPTION,
  isCurrent: true,
  provider: "bare",
  ...given,
});
const canceled = (hoursLeft: number) =>
  bare({ cancelAtPeriodEnd: true, currentPeriodEnd: hoursAhead(hoursLeft) });

test("a provider that is not known can do nothing, and sample subscriptions can be kept", () => {
  expect(capabilitiesOf("bare")).toMatchObject({ canClose: false, can: { keep: false }, portal: null });
  expect(capabilitiesOf(DEMO_PROVIDER)).toMatchObject({ can: { keep: true, resume: true } });
});

test("a final cancellation is not offered back, and the next subscription is sold in its last two days", () => {
  const early = canceled(49);
  expect([nextStep(early, NOW).label, blocksPurchase(early, NOW)]).toEqual(["Watch something", true]);
  const late = canceled(47);
  expect([nextStep(late, NOW).href, blocksPurchase(late, NOW)]).toEqual(["/subscribe", false]);
  expect(keptChargeSentence({ ...late, price: PRICE })).toBeNull();
  const undone = { ...late, provider: "stripe" };
  expect([nextStep(undone, NOW).label, blocksPurchase(undone, NOW)]).toEqual([
    "Keep your subscription",
    true,
  ]);
});

test("a prepaid period has nothing to cancel, and the next one is sold from two weeks before its end", () => {
  const left = (days: number) => bare({ isPrepaid: true, currentPeriodEnd: hoursAhead(24 * days) });
  const [early, late] = [left(14.1), left(14)];
  expect([nextStep(early, NOW).label, blocksPurchase(early, NOW)]).toEqual(["Watch something", true]);
  expect([nextStep(late, NOW), blocksPurchase(late, NOW)]).toEqual([
    { label: "Pay for the next period", href: "/subscribe", isPosted: false },
    false,
  ]);
  expect(subscriptionSentence(late, NOW)).toBe(
    "Your subscription is paid until 5 December 2026. It does not renew, so there is nothing to cancel.",
  );
  expect(nextChargeText({ ...late, price: PRICE }, null, NOW)).toBe("None. It does not renew");
  expect([canCancel(late), cancellationState(late, NOW)]).toEqual([
    false,
    { kind: "prepaid", endsOn: "5 December 2026" },
  ]);
  const over = { ...left(0), isCurrent: false };
  expect([nextStep(over, NOW).label, blocksPurchase(over, NOW)]).toEqual(["Subscribe again", false]);
  expect(subscriptionSentence(over, NOW)).toBe("Your subscription ended on 21 November 2026.");
});

test.each([true, false])(
  "without a portal, another card needs another subscription (current: %s)",
  (isCurrent) => {
    const overdue = bare({ status: "past_due", isCurrent });
    expect(nextStep(overdue, NOW)).toEqual({
      label: "Pay with another card",
      href: "/user/account/subscription",
      isPosted: false,
    });
    expect(subscriptionSentence(overdue, NOW)).toMatch(/cancel this subscription and subscribe again\.$/);
  },
);
