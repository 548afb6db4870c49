import { describe, expect, it, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import type { Fact, Terms, ToldFact } from "../contract/facts.ts";
import { projectFacts } from "./project-facts.ts";
import type { Order, Projection } from "./told-payments.ts";

const day = (number: number) => new Date(Date.UTC(2026, 0, number, 12));
const MONTH = { amount: 999, interval: "day", intervalCount: 30 } as const;
const TERMS: Terms = { currency: "usd", first: MONTH, renewal: MONTH };
const paid = { amount: 999, currency: "usd" };
const subscriptionId = "bare:1";
const product = { id: "prod", name: "Access", description: "", active: true, image: null, metadata: {} };
const price = {
  ...product,
  id: "p",
  productId: "prod",
  ...MONTH,
  unitAmount: 999,
  currency: "usd",
  trialPeriodDays: null,
  firstPeriod: null,
};
const ORDER: Order = { checkoutId: "c", customerId: "bare:customer", terms: TERMS, price, product };

let count = 0;
function at(number: number, fact: Fact): ToldFact {
  count += 1;
  return { ...fact, id: `fact-${count}`, at: day(number) };
}
const sale = (more: Partial<Extract<Fact, { kind: "sale" }>> = {}) =>
  at(1, {
    ...{ kind: "sale", checkoutId: "c", subscriptionId, transactionId: "bare:t1", paid, terms: TERMS },
    ...{ paidUntil: day(31), method: null, ...more },
  } as Fact);
const renewal = (on: number, transactionId: string) =>
  at(on, { kind: "renewal", subscriptionId, transactionId, paid, paidUntil: day(on + 30), method: null });
const failure = (on: number, transactionId: string, retryOn: number | null) =>
  at(on, {
    kind: "renewalFailed",
    subscriptionId,
    transactionId,
    retryAt: retryOn === null ? null : day(retryOn),
    code: "no",
  });
const canceled = (on: number, ends: "now" | "paidUntil" = "paidUntil") =>
  at(on, { kind: "canceled", subscriptionId, ends, by: null });
const about = (on: number, kind: "kept" | "expired" | "closed") => at(on, { kind, subscriptionId });
const returned = (
  on: number,
  transactionId: string | null,
  amount = 999,
  how: "refund" | "chargeback" = "refund",
) => at(on, { kind: "returned", subscriptionId, transactionId, amount: { amount, currency: "usd" }, how });

const project = (facts: ToldFact[], now = day(40)) => projectFacts("bare", facts, ORDER, now);

interface State {
  status: string;
  isToEnd?: boolean;
  until?: number;
  endedAt?: number;
}

function stateOf(projection: Projection | null): State | null {
  if (projection === null) return null;
  const { status, cancelAtPeriodEnd, currentPeriodEnd, endedAt } = projection.subscription;
  const dayOf = (date: Date) => Math.round((date.getTime() - day(0).getTime()) / 86_400_000);
  return {
    status,
    isToEnd: cancelAtPeriodEnd,
    until: dayOf(currentPeriodEnd),
    ...(endedAt ? { endedAt: dayOf(endedAt) } : {}),
  };
}

/** Each with the state that follows from it on day 40. */
const STORIES: [string, ToldFact[], State][] = [
  ["a renewal", [sale(), renewal(31, "t2")], { status: "active", until: 61 }],
  [
    "a renewal that was paid at the second attempt",
    [sale(), failure(31, "t2", 33), renewal(33, "t3")],
    { status: "active", until: 63 },
  ],
  ["a renewal that is tried again", [sale(), failure(31, "t2", 45)], { status: "past_due", until: 45 }],
  [
    "a renewal whose last attempt failed",
    [sale(), failure(31, "t2", 33), failure(33, "t3", null), canceled(33, "now"), about(33, "expired")],
    { status: "canceled", isToEnd: true, until: 31, endedAt: 33 },
  ],
  [
    "a cancellation during the paid time",
    [sale(), renewal(31, "t2"), canceled(35)],
    { status: "active", isToEnd: true, until: 61 },
  ],
  [
    "a cancellation whose time is over",
    [sale(), canceled(10), about(31, "expired")],
    { status: "canceled", isToEnd: true, until: 31, endedAt: 31 },
  ],
  [
    "a cancellation that was undone",
    [sale(), canceled(10), about(20, "kept"), renewal(31, "t2")],
    { status: "active", until: 61 },
  ],
  [
    "a cancellation, undone, and another",
    [sale(), renewal(31, "t2"), canceled(32), about(33, "kept"), canceled(34)],
    { status: "active", isToEnd: true, until: 61 },
  ],
  [
    "an end by the provider during the paid time, which goes on to its end",
    [sale(), renewal(31, "t2"), about(32, "expired")],
    { status: "active", isToEnd: true, until: 61 },
  ],
  [
    "an end that a later payment outweighs",
    [sale(), about(31, "expired"), renewal(32, "t2")],
    { status: "active", until: 62 },
  ],
  [
    "an end of ours, after which one payment was on its way",
    [sale(), about(20, "closed"), canceled(20), renewal(31, "t2")],
    { status: "canceled", isToEnd: true, until: 61, endedAt: 20 },
  ],
  [
    "a full refund of the newest payment",
    [sale(), renewal(31, "t2"), returned(34, "t2")],
    { status: "canceled", until: 61, endedAt: 34 },
  ],
  [
    "a full refund whose payment the provider does not name",
    [sale(), renewal(31, "t2"), returned(34, null)],
    { status: "canceled", until: 61, endedAt: 34 },
  ],
  [
    "a refund of an earlier payment, and a part of the newest",
    [sale(), renewal(31, "t2"), returned(32, "bare:t1"), returned(33, "t2", 500)],
    { status: "active", until: 61 },
  ],
  [
    "a chargeback",
    [sale(), renewal(31, "t2"), returned(36, "t2", 999, "chargeback")],
    { status: "canceled", until: 61, endedAt: 36 },
  ],
  [
    "a later day of the next charge",
    [sale(), at(20, { kind: "moved", subscriptionId, paidUntil: day(50) })],
    { status: "active", until: 50 },
  ],
  [
    "an answer that says more than the events",
    [sale(), at(32, { kind: "probed", subscriptionId, state: "ending", paidUntil: day(61) })],
    { status: "active", isToEnd: true, until: 61 },
  ],
];

describe("in every order of arrival, and told twice, the facts of a story say the same", () => {
  it.each(STORIES)("%s", (_, facts, expected) => {
    const first = project(facts);
    expect(stateOf(first)).toEqual({ isToEnd: false, ...expected });
    for (const order of permutations(facts)) {
      expect(project(order)).toEqual(first);
      // What has arrived so far is always a state, and never more than was paid for.
      for (let told = 1; told <= order.length; told += 1) {
        const part = project(order.slice(0, told));
        const most = Math.max(0, ...facts.map((one) => ("paidUntil" in one ? Number(one.paidUntil) : 0)));
        if (part?.subscription.status === "active")
          expect(Number(part.subscription.currentPeriodEnd)).toBeLessThanOrEqual(most);
      }
    }
    const again = facts.map((one) => ({ ...one, id: `${one.id}-again` }));
    // Money that is returned twice is more than once.
    const isOnce = facts.every(({ kind }) => kind !== "returned");
    if (isOnce) expect(project([...again, ...facts])).toEqual(first);
  });
});

test("any mixture of facts gives one state in any order, and pays no transaction twice", () => {
  const anyFact = fc
    .integer({ min: 2, max: 70 })
    .chain((on) =>
      fc.constantFrom(
        renewal(on, `t${on}`),
        failure(on, `f${on}`, on + 2),
        canceled(on),
        canceled(on, "now"),
        about(on, "kept"),
        about(on, "expired"),
        about(on, "closed"),
        returned(on, null),
        returned(on, `t${on}`, 999, "chargeback"),
      ),
    );
  const story = fc.array(anyFact, { maxLength: 12 });
  fc.assert(
    fc.property(story, fc.integer({ min: 1, max: 120 }), fc.infiniteStream(fc.nat()), (facts, on, random) => {
      const own = facts.map((one, index) => ({ ...one, id: `own-${index}` }));
      const told = [sale(), ...own];
      const first = project(told, day(on));
      const shuffled = told
        .map((one) => ({ one, by: random.next().value as number }))
        .sort((a, b) => a.by - b.by)
        .map(({ one }) => one);
      expect(project(shuffled, day(on))).toEqual(first);
      const ids = first?.invoices.map(({ id }) => id) ?? [];
      const paidIds = first?.invoices.filter(({ status }) => status === "paid").map(({ id }) => id) ?? [];
      expect(new Set(paidIds).size).toBe(paidIds.length);
      expect(ids).toContain("bare:t1");
      expect(first?.invoices.filter(({ status }) => status === "open").length).toBeLessThanOrEqual(1);
    }),
  );
});

test("nothing is known before the sale, and a sale of no purchase belongs to nobody", () => {
  expect(project([renewal(31, "t2"), canceled(32)])).toBeNull();
  const stray = projectFacts("bare", [sale({ checkoutId: null })], null, day(2));
  expect(stray?.subscription).toMatchObject({ customerId: "", price: null, checkoutId: null });
});

test.each([
  ["a free first period is a trial", 0, { status: "trialing", trialStart: day(1), trialEnd: day(4) }],
  ["a paid first period is none", 295, { status: "active", trialStart: null, trialEnd: null }],
])("%s, until the first renewal", (_, amount, expected) => {
  const first = { amount, interval: "day", intervalCount: 3 } as const;
  const bought = sale({
    terms: { ...TERMS, first },
    paid: { amount, currency: "usd" },
    paidUntil: day(4),
  });
  const started = project([bought], day(2))?.subscription;
  expect(started).toMatchObject({ ...expected, nextAmount: 999 });
  const begun = project([renewal(4, "t2"), bought], day(5));
  expect(begun?.subscription).toMatchObject({
    status: "active",
    trialStart: expected.trialStart,
    currentPeriodStart: day(4),
  });
  expect(begun?.invoices.map(({ total }) => total)).toEqual(amount === 0 ? [999] : [amount, 999]);
});

test("a failed renewal is one open bill with its next attempt, and void once it is paid or over", () => {
  const failed = [sale(), failure(31, "t2", 33), failure(33, "t3", 36)];
  const bills = (facts: ToldFact[]) =>
    project(facts, day(34))?.invoices.map(({ id, status, nextAttemptAt }) => [id, status, nextAttemptAt]);
  const paidOnce = ["bare:t1", "paid", null];
  expect(bills(failed)).toEqual([paidOnce, ["t2", "void", null], ["t3", "open", day(36)]]);
  expect(bills([...failed, canceled(34, "now")])?.at(-1)).toEqual(["t3", "void", null]);
});

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
