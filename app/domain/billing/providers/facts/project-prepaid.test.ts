import { expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import type { Fact, Terms, ToldFact } from "../contract/facts.ts";
import { projectPrepaid } from "./project-prepaid.ts";
import type { Order } from "./told-payments.ts";

const day = (number: number) => new Date(Date.UTC(2026, 0, number, 12));
const subscriptionId = "bare:customer";
const paid = { amount: 999, currency: "eur" };
const first = { amount: 999, interval: "day", intervalCount: 30 } as const;
const TERMS: Terms = { currency: "eur", first, renewal: null };
const MONTH: Terms = { ...TERMS, first: { ...first, interval: "month", intervalCount: 1 } };
const product = { id: "prod", name: "Access", description: "", active: true, image: null, metadata: {} };
const price = {
  ...product,
  id: "p",
  productId: "prod",
  ...first,
  unitAmount: 999,
  currency: "eur",
  firstPeriod: null,
};

function orderOf(checkoutId: string, terms = TERMS): [string, Order] {
  return [checkoutId, { checkoutId, customerId: subscriptionId, terms, price, product }];
}
const ORDERS = new Map([orderOf("a"), orderOf("b"), orderOf("c"), orderOf("month", MONTH)]);

const at = (number: number, id: string, fact: Fact): ToldFact => ({ ...fact, id, at: day(number) });
const sale = (number: number, checkoutId: string, more: Partial<Extract<Fact, { kind: "sale" }>> = {}) =>
  at(number, `sale:${checkoutId}`, {
    ...{ kind: "sale", checkoutId, subscriptionId, transactionId: `t:${checkoutId}`, paid, terms: TERMS },
    ...{ paidUntil: day(number + 30), method: null, ...more },
  } as Fact);
const closed = (number: number) => at(number, `closed:${number}`, { kind: "closed", subscriptionId });
const takenBack = (number: number, checkoutId: string, amount = 999) =>
  at(number, `returned:${checkoutId}:${number}`, {
    ...{ kind: "returned", subscriptionId, transactionId: `t:${checkoutId}` },
    ...{ amount: { amount, currency: "eur" }, how: "void" },
  } as Fact);

/** The days of the periods, then the end of all paid time, and what follows from that on a day. */
function stateOf(facts: ToldFact[], now: number) {
  const projection = projectPrepaid("bare", facts, ORDERS, day(now));
  if (projection === null) return null;
  const dayOf = (date: Date) => (date.getTime() - day(0).getTime()) / 86_400_000;
  const { status, currentPeriodEnd, endedAt, isPrepaid, cancelAtPeriodEnd } = projection.subscription;
  expect([isPrepaid, cancelAtPeriodEnd, endedAt]).toEqual([
    true,
    false,
    status === "canceled" ? currentPeriodEnd : null,
  ]);
  const periods = projection.invoices.map(({ periodStart, periodEnd }) => [
    dayOf(periodStart),
    dayOf(periodEnd),
  ]);
  return { periods, until: dayOf(currentPeriodEnd), status };
}

type State = ReturnType<typeof stateOf>;

const STORIES: [string, ToldFact[], number, State][] = [
  ["one period", [sale(1, "a")], 10, { periods: [[1, 31]], until: 31, status: "active" }],
  ["one that is over", [sale(1, "a")], 31, { periods: [[1, 31]], until: 31, status: "canceled" }],
  [
    "a second before the end begins there",
    [sale(1, "a"), sale(20, "b")],
    25,
    {
      periods: [
        [1, 31],
        [31, 61],
      ],
      until: 61,
      status: "active",
    },
  ],
  [
    "three at once",
    [sale(1, "a"), sale(1, "b"), sale(1, "c")],
    80,
    {
      periods: [
        [1, 31],
        [31, 61],
        [61, 91],
      ],
      until: 91,
      status: "active",
    },
  ],
  [
    "one after a gap begins with its payment",
    [sale(1, "a"), sale(50, "b")],
    60,
    {
      periods: [
        [1, 31],
        [50, 80],
      ],
      until: 80,
      status: "active",
    },
  ],
  [
    "a month is a month of the calendar",
    [sale(31, "month", { terms: MONTH })],
    40,
    { periods: [[31, 59]], until: 59, status: "active" },
  ],
  [
    "the only one is taken back",
    [sale(1, "a"), takenBack(10, "a")],
    20,
    { periods: [[1, 31]], until: 10, status: "canceled" },
  ],
  [
    "one of two is taken back, in two parts",
    [sale(1, "a"), sale(20, "b"), takenBack(22, "a", 500), takenBack(23, "a", 499)],
    25,
    {
      periods: [
        [1, 31],
        [20, 50],
      ],
      until: 50,
      status: "active",
    },
  ],
  [
    "a part of one is given back",
    [sale(1, "a"), takenBack(10, "a", 500)],
    20,
    { periods: [[1, 31]], until: 31, status: "active" },
  ],
  [
    "an end of ours takes all that was paid until then, and nothing that comes later",
    [sale(1, "a"), sale(2, "b"), closed(10), sale(12, "c")],
    20,
    {
      periods: [
        [1, 31],
        [31, 61],
        [12, 42],
      ],
      until: 42,
      status: "active",
    },
  ],
  ["an end of ours", [sale(1, "a"), closed(10)], 20, { periods: [[1, 31]], until: 10, status: "canceled" }],
  [
    "other terms than those of the purchase, and no purchase of ours, count for nothing",
    [sale(1, "a"), sale(2, "month"), sale(3, "elsewhere")],
    10,
    { periods: [[1, 31]], until: 31, status: "active" },
  ],
  ["nothing but such", [sale(1, "month"), sale(2, "elsewhere")], 10, null],
];

test.each(STORIES)("%s, in whatever order the facts come", (_, facts, now, state) => {
  fc.assert(
    fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (shuffled) => {
      expect(stateOf(shuffled, now)).toEqual(state);
    }),
    { numRuns: 30 },
  );
});

test("each invoice is that of its own purchase, and says what was paid too much or too late", () => {
  const more = { paid: { amount: 1099, currency: "eur" }, isLate: true } as const;
  const facts = [sale(1, "a"), sale(2, "b", more), takenBack(3, "b", 1099)];
  const projection = projectPrepaid("bare", facts, ORDERS, day(10));
  expect(projection?.invoices).toMatchObject([
    { id: "t:a", total: 999, amountPaid: 999, isLate: false, first: { checkoutId: "a" } },
    {
      id: "t:b",
      total: 999,
      amountPaid: 1099,
      isLate: true,
      first: { checkoutId: "b", sold: [{ terms: TERMS }] },
    },
  ]);
  expect(projection?.charges).toMatchObject([{ id: "t:b", amount: 1099, amountRefunded: 1099 }]);
  expect(projection?.subscription).toMatchObject({ checkoutId: "a", created: day(1), nextAmount: 0 });
});
