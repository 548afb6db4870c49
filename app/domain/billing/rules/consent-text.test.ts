import { expect, test } from "vitest";
import { type ConsentFacts, consentText } from "./consent-text.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const MONTHLY: ConsentFacts = {
  name: "Membership",
  currency: "usd",
  amount: 1499,
  interval: "month",
  intervalCount: 1,
  firstPeriod: null,
  hasTax: false,
  isPrepaid: false,
};

test("the terms name the amount, its dates, the renewal, how to cancel and that access begins at once", () => {
  expect(consentText(MONTHLY, NOW)).toBe(
    "I subscribe to Membership for $14.99, charged today, 21 November 2026. It renews automatically: $14.99 is charged every month from 21 December 2026 (UTC) until I cancel. I can cancel at any time, with two clicks in my account or with the link in every email about my payments. I keep my access until the end of the period that I have paid for. I ask for immediate access, and I know that it ends any right to withdraw within 14 days where the law allows that.",
  );
});

test("with a free trial it names the day of the first charge", () => {
  expect(consentText({ ...MONTHLY, firstPeriod: { days: 7, amount: 0 } }, NOW)).toContain(
    "free for 7 days if I start today. The first $14.99 is charged on 28 November 2026 (UTC), unless I cancel before that day. It renews automatically: $14.99 is charged every month from then on until I cancel.",
  );
});

test("a first period with a price of its own is charged today, and days are never called a month", () => {
  const plan = {
    ...MONTHLY,
    interval: "day" as const,
    intervalCount: 30,
    firstPeriod: { days: 3, amount: 295 },
  };
  const text = consentText(plan, NOW);
  expect(text).toContain(
    "for $2.95 for the first 3 days, charged today, 21 November 2026. It renews automatically: $14.99 is charged every 30 days from 24 November 2026 (UTC) until I cancel.",
  );
  expect(text).not.toMatch(/month|free/);
});

test("tax is mentioned where it is added", () => {
  expect(consentText({ ...MONTHLY, hasTax: true }, NOW)).toContain("Tax is added");
  expect(consentText(MONTHLY, NOW)).not.toContain("Tax");
});

test("a prepaid period is paid once, and nothing is said about a renewal or a cancellation", () => {
  expect(consentText({ ...MONTHLY, isPrepaid: true }, NOW)).toBe(
    "I subscribe to Membership for one month and pay $14.99 once. It does not renew, and I am not charged again. The period begins with my payment or, if I have already paid for a period in this way, when that one ends. I ask for immediate access, and I know that it ends any right to withdraw within 14 days where the law allows that.",
  );
  const quarter = { ...MONTHLY, isPrepaid: true, interval: "day" as const, intervalCount: 90 };
  expect(consentText(quarter, NOW)).toContain("for 90 days and pay $14.99 once");
});

test("every relevant difference changes the text", () => {
  const plans = [
    MONTHLY,
    { ...MONTHLY, amount: 1500 },
    { ...MONTHLY, currency: "eur" },
    { ...MONTHLY, intervalCount: 3 },
    { ...MONTHLY, interval: "year" as const },
    { ...MONTHLY, firstPeriod: { days: 7, amount: 0 } },
    { ...MONTHLY, firstPeriod: { days: 8, amount: 0 } },
    { ...MONTHLY, firstPeriod: { days: 8, amount: 295 } },
    { ...MONTHLY, firstPeriod: { days: 8, amount: 299 } },
    { ...MONTHLY, name: "All access" },
    { ...MONTHLY, hasTax: true },
    { ...MONTHLY, isPrepaid: true },
  ];
  const texts = [
    ...plans.map((plan) => consentText(plan, NOW)),
    consentText(MONTHLY, new Date("2026-11-22")),
  ];
  expect(new Set(texts).size).toBe(texts.length);
});
