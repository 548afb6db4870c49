import { beforeAll, expect, test } from "vitest";
import { findOwnPayments } from "#app/domain/billing/account/own-invoices.server.ts";
import { receiptMail } from "#app/domain/billing/mails/templates/payment-mails.tsx";
import { reminderMail } from "#app/domain/billing/mails/templates/reminder-mails.tsx";
import { planView } from "#app/domain/billing/offers/plan-view.ts";
import { consentText } from "#app/domain/billing/rules/consent-text.ts";
import { formatMoney, formatPrice } from "#app/domain/billing/rules/format-money.ts";
import { nextChargeText } from "#app/domain/billing/rules/next-charge-text.ts";
import { db } from "#db/client.server.ts";
import { prices } from "#db/schema/prices.ts";
import { CURRENCIES, THOUSANDTHS, WHOLE } from "#tests/support/billing/currencies.ts";
import { begin, bill, prepareOffer } from "#tests/support/billing/stored-subscription.ts";
import { SUBSCRIPTION } from "#tests/support/billing/subscription-row.ts";
import { fc } from "#tests/support/seed.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
/** With a rest in every decimal place. */
const AMOUNT = 1_234_567;

beforeAll(prepareOffer);

/** The provider's amount in a text that shows one amount, and nothing else with digits. */
function readBack(text: string, currency: string): number {
  const [sum = "", ...others] = text.match(/\d[\d,]*(\.\d+)?/g) ?? [];
  expect(others, text).toEqual([]);
  const [whole = "", rest = ""] = sum.replaceAll(",", "").split(".");
  const digits = WHOLE.includes(currency) ? 0 : THOUSANDTHS.includes(currency) ? 3 : 2;
  expect(rest.length, text).toBeLessThanOrEqual(digits);
  return Number(whole + rest.padEnd(digits, "0"));
}

const part = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? `no ${pattern} in ${text}`;

test("an amount, read back, is the provider's amount in every currency, written in either case", () => {
  const currencies = fc.constantFrom(...CURRENCIES, ...CURRENCIES.map((code) => code.toUpperCase()));
  fc.assert(
    fc.property(currencies, fc.nat(999_999_999_999), (currency, amount) => {
      expect(readBack(formatMoney(amount, currency), currency.toLowerCase())).toBe(amount);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  [500, "jpy", "¥500"],
  [5124, "kwd", "KWD 5.124"],
  // Charged in whole units only, although the provider counts hundredths.
  [50_000, "isk", "ISK 500"],
  [1_000_000, "ugx", "UGX 10,000"],
  // Whole units only in payouts: charges may have a rest.
  [1045, "huf", "HUF 10.45"],
  [80_045, "twd", "NT$800.45"],
  [149_900, "idr", "IDR 1,499.00"],
  [1499, "usd", "$14.99"],
  [-300, "krw", "-₩300"],
])("%i in %s is %s", (amount, currency, text) => {
  expect(formatMoney(amount, currency).replace(/\u00a0/g, " ")).toBe(text);
});

test("plans, consent, prices and next charges show the provider's amount in every currency", () => {
  for (const currency of CURRENCIES) {
    const recurrence = { interval: "month" as const, intervalCount: 1 };
    const plan = {
      ...recurrence,
      name: "All access",
      currency,
      amount: AMOUNT,
      firstPeriod: null,
      hasTax: false,
      isPrepaid: false,
    };
    const price = { ...recurrence, currency, unitAmount: AMOUNT };
    const offered = { ...plan, priceId: "price", description: null, terms: "", termsHash: "" };
    const view = planView({ ...offered, monthly: AMOUNT, saving: 0 } as never, NOW);
    const facts = { ...SUBSCRIPTION, isCurrent: true, nextAmount: AMOUNT, price };
    const overdue = { ...facts, status: "past_due" as const };
    const shown = {
      plan: view.amount,
      today: view.today,
      renewal: view.renewal?.later ?? "",
      consent: part(consentText(plan, NOW), /All access for (.*?), charged today/),
      renewalInConsent: part(consentText(plan, NOW), /automatically: (.*?) is charged/),
      trialInConsent: part(
        consentText({ ...plan, firstPeriod: { days: 7, amount: 0 } }, NOW),
        /The first (.*?) is charged/,
      ),
      price: formatPrice(price, { isPrepaid: false }),
      next: part(nextChargeText(facts, null, NOW) ?? "", /^(.*?) on /),
      owed: nextChargeText(overdue, AMOUNT, NOW) ?? "",
    };
    const read = Object.entries(shown).map(([where, text]) => [where, readBack(text, currency)]);
    expect([currency, read]).toEqual([currency, Object.keys(shown).map((where) => [where, AMOUNT])]);
  }
});

test("stored invoices and emails show the provider's amount in every currency", async () => {
  const { subscription, userId } = await begin();
  const price = (await db.select().from(prices)).find(({ id }) => id === "monthly");
  if (!price) throw new Error("There is no price");
  for (const currency of CURRENCIES) {
    const sums = { currency, total: AMOUNT, amountPaid: AMOUNT, amountRefunded: AMOUNT };
    const invoice = await bill(subscription, { ...sums, createdAt: new Date() });
    const priced = { ...price, currency, unitAmount: AMOUNT };
    const facts = {
      subscription: { ...subscription, hasPaid: true },
      price: priced,
      planName: "All access",
      to: "a@b.example",
      isClosing: false,
    };
    const receipt = await receiptMail({ ...facts, terms: null }, invoice, {
      begins: false,
      isTooLate: false,
    });
    const reminder = await reminderMail({ ...facts, terms: null });
    const [newest] = (await findOwnPayments({ userId, subscriptionId: subscription.id, provider: "stripe" }))
      .invoices;
    const shown = [
      newest?.amount ?? "",
      newest?.refunded ?? "",
      part(receipt.text, /Amount:?\s+(.*)/),
      part(receipt.text, /All access, (.*) a month/),
      part(reminder.text, /Price:?\s+(.*) a month/),
      part(reminder.text, /Next charge:?\s+(.*?) on /),
    ];
    expect([currency, shown.map((text) => readBack(text, currency))]).toEqual([
      currency,
      shown.map(() => AMOUNT),
    ]);
  }
}, 60_000);
