import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { FINAL_CANCELLATION } from "#app/texts.ts";
import { STILL_UNTOLD } from "#app/ui/subscribe/outcome-text.ts";
import { SUBSCRIPTION } from "#tests/support/billing/subscription-row.ts";
import { paidTwiceMail } from "../mails/templates/lifecycle-mails.tsx";
import {
  CAPABILITIES,
  type Capabilities,
  capabilitiesOf,
  DEMO_PROVIDER,
} from "../providers/contract/capabilities.ts";
import { blocksPurchase } from "./blocks-purchase.ts";
import { canCancel, cancellationState } from "./cancellation-state.ts";
import { keptChargeSentence, nextChargeText } from "./next-charge-text.ts";
import { nextStep } from "./next-step.ts";
import { ANOTHER_CARD, overlapSentence, subscriptionSentence } from "./subscription-sentence.ts";

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
  expect(subscriptionSentence(early, NOW)).toMatch(
    /ends\. You can subscribe again from 21 November 2026, 13:00 UTC on\.$/,
  );
  expect([nextStep(early, NOW, "bare").label, blocksPurchase(early, NOW, "bare")]).toEqual([
    "Watch something",
    true,
  ]);
  const late = canceled(47);
  expect([nextStep(late, NOW, "bare").href, blocksPurchase(late, NOW, "bare")]).toEqual([
    "/subscribe",
    false,
  ]);
  expect(subscriptionSentence(late, NOW)).toMatch(/ends\. You can subscribe again now\.$/);
  expect(keptChargeSentence({ ...late, price: PRICE })).toBeNull();
  const undone = { ...late, provider: "stripe" };
  expect([nextStep(undone, NOW, "bare").label, blocksPurchase(undone, NOW, "bare")]).toEqual([
    "Keep your subscription",
    true,
  ]);
});

test("a prepaid period has nothing to cancel, and the next one is sold from two weeks before its end", () => {
  const left = (days: number) => bare({ isPrepaid: true, currentPeriodEnd: hoursAhead(24 * days) });
  const [early, late] = [left(14.1), left(14)];
  expect([nextStep(early, NOW, "bare").label, blocksPurchase(early, NOW, "bare")]).toEqual([
    "Watch something",
    true,
  ]);
  expect([nextStep(late, NOW, "bare"), blocksPurchase(late, NOW, "bare")]).toEqual([
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
  expect([nextStep(over, NOW, "bare").label, blocksPurchase(over, NOW, "bare")]).toEqual([
    "Subscribe again",
    false,
  ]);
  expect(subscriptionSentence(over, NOW)).toBe("Your subscription ended on 21 November 2026.");
});

test("where another provider sells now, nothing can follow a prepaid period without an overlap of two days", () => {
  const left = (hours: number) => bare({ isPrepaid: true, currentPeriodEnd: hoursAhead(hours) });
  const [early, late] = [left(49), left(47)];
  for (const seller of ["other", null]) {
    expect([nextStep(early, NOW, seller).label, blocksPurchase(early, NOW, seller)]).toEqual([
      "Watch something",
      true,
    ]);
    expect([nextStep(late, NOW, seller).label, blocksPurchase(late, NOW, seller)]).toEqual([
      "Subscribe again",
      false,
    ]);
  }
});

const moved = (hoursLeft: number) => ({
  ...canceled(hoursLeft),
  provider: "stripe",
  renewalEndedBy: "site" as const,
});

test("an end by the site cannot be undone, says why, and sells again in its last two days", () => {
  const early = moved(49);
  expect([nextStep(early, NOW, "bare").label, blocksPurchase(early, NOW, "bare")]).toEqual([
    "Watch something",
    true,
  ]);
  expect(subscriptionSentence(early, NOW)).toBe(
    "Your subscription is active until 23 November 2026 and then ends, because this site is changing its payment provider. You can subscribe again from 21 November 2026, 13:00 UTC on.",
  );
  const late = moved(47);
  expect([nextStep(late, NOW, "bare").href, blocksPurchase(late, NOW, "bare")]).toEqual([
    "/subscribe",
    false,
  ]);
  expect(subscriptionSentence(late, NOW)).toMatch(/provider\. You can subscribe again now\.$/);
  const theirs = { ...moved(49), renewalEndedBy: "member" as const };
  expect(subscriptionSentence(theirs, NOW)).toBe(
    "Your subscription is active until 23 November 2026 and then ends. You can subscribe again from 21 November 2026, 13:00 UTC on.",
  );
  expect(nextStep(theirs, NOW, "bare").label).toBe("Watch something");
});

const COLUMNS = { stripe: "Stripe", ccbill: "CCBill", btcpay: "BTCPay Server" };
const ROWS: Record<string, (can: Capabilities) => boolean> = {
  "renew by itself": ({ renews }) => renews,
  "undo a cancellation": ({ can }) => can.keep,
  "begin the next subscription where its last one ends": ({ renews }) => !renews,
  "resume a paused subscription": ({ can }) => can.resume,
  "a page for cards and unpaid renewals": ({ portal }) => portal !== null,
  "close a payment page": ({ canClose }) => canClose,
  "answer whether a payment page was paid": ({ canReadPage }) => canReadPage,
  "promotion codes on the payment page": ({ promotionCodes }) => promotionCodes,
  "charge in the name of the site": ({ help }) => help === null,
  "a catalog of products and prices": ({ offer }) => offer === "provider",
  "answer questions about every subscription": ({ truth }) => truth === "provider",
};

test("docs/payments.md says what each provider can do, and what a member reads where it cannot", async () => {
  const text = await readFile("docs/payments.md", "utf8");
  const lines = text.split("\n").filter((line) => line.startsWith("| "));
  const cellsOf = (line = "") => line.split("|").map((cell) => cell.trim());
  const heads = cellsOf(lines.find((line) => line.includes("what a member reads")));
  const read = new Map(lines.map((line) => [cellsOf(line)[1], cellsOf(line)]));
  const names = Object.keys(CAPABILITIES).filter((name) => name !== DEMO_PROVIDER);
  for (const [row, has] of Object.entries(ROWS)) {
    for (const name of names) {
      const cell = read.get(row)?.[heads.indexOf(COLUMNS[name as keyof typeof COLUMNS])];
      expect([row, name, cell]).toEqual([row, name, has(capabilitiesOf(name)) ? "yes" : "no"]);
    }
  }
  const facts = { price: PRICE, planName: "Membership", to: "", isClosing: false, terms: null };
  const { text: twice } = await paidTwiceMail({
    ...facts,
    subscription: bare({ provider: "ccbill" }),
  } as never);
  for (const [row, sentence] of [
    ["renew by itself", subscriptionSentence(bare({ isPrepaid: true }), NOW).replace(/^.*?\. /, "")],
    ["undo a cancellation", FINAL_CANCELLATION],
    ["begin the next subscription where its last one ends", overlapSentence(bare())],
    ["a page for cards and unpaid renewals", ANOTHER_CARD],
    ["close a payment page", /You paid for.*will not renew\./.exec(twice.replaceAll(/\s+/g, " "))?.[0]],
    ["answer whether a payment page was paid", /^.*pay again/.exec(STILL_UNTOLD)?.[0]],
    [
      "charge in the name of the site",
      /CCBill charges.*about a charge/.exec(twice.replaceAll(/\s+/g, " "))?.[0],
    ],
  ])
    expect(read.get(row)?.at(-2)).toContain(sentence);
});

test.each([true, false])(
  "without a portal, another card needs another subscription (current: %s)",
  (isCurrent) => {
    const overdue = bare({ status: "past_due", isCurrent });
    expect(nextStep(overdue, NOW, "bare")).toEqual({
      label: "Pay with another card",
      href: "/user/account/subscription",
      isPosted: false,
    });
    expect(subscriptionSentence(overdue, NOW)).toMatch(/cancel this subscription and subscribe again\.$/);
  },
);
