import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { type SubscriptionStatus, subscriptionState } from "#app/domain/access/subscription-state.ts";
import type { Role } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { billingMails } from "#db/schema/billing-mails.ts";
import { customers } from "#db/schema/customers.ts";
import { invoices } from "#db/schema/invoices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { SUBSCRIPTION } from "#tests/support/billing/subscription-row.ts";
import { createMember, subscribe } from "#tests/support/people.ts";
import { cancellationState } from "../rules/cancellation-state.ts";
import { listRefundable } from "../subscriptions/refundable-invoices.server.ts";
import { accessSentence, cardExpiry } from "./account-subscription.server.ts";
import { findOwnPayments } from "./own-invoices.server.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const LATER = new Date("2026-12-21T12:00:00Z");
const EARLIER = new Date("2026-11-20T12:00:00Z");

const subscription = (
  status: SubscriptionStatus,
  isCurrent: boolean,
  given: { cancelAtPeriodEnd?: boolean; currentPeriodEnd?: Date; isPaymentPending?: boolean } = {},
) => ({
  ...SUBSCRIPTION,
  status,
  isCurrent,
  currentPeriodEnd: LATER,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  endedAt: null,
  isPaymentPending: false,
  hasBegun: true,
  ...given,
});
const why = (subscribed: ReturnType<typeof subscription> | null, role: Role = "member") =>
  accessSentence(
    {
      isAdult: true,
      user: { role },
      subscription: subscribed && { ...subscribed, state: subscriptionState(subscribed, NOW) },
    },
    NOW,
  );

test("the account says whether access is open, and why", () => {
  const open = "You have access to everything";
  const closed = "You have no access to videos and photos for subscribers";
  expect(why(subscription("active", true))).toBe(
    `${open}. Your subscription is active until 21 December 2026 and then renews.`,
  );
  expect(why(subscription("active", true, { currentPeriodEnd: EARLIER }))).toBe(
    `${open}. Your subscription is being renewed. The renewal was due on 20 November 2026.`,
  );
  expect(why(subscription("past_due", true))).toBe(
    `${open}. The last payment did not go through. You keep your access for a few days, so that you can update your payment method.`,
  );
  expect(why(subscription("past_due", false))).toBe(
    `${closed}. The last payment did not go through, so your access is paused until it does.`,
  );
  expect(why(subscription("paused", true))).toBe(
    `${closed}. Your subscription is paused, and you will not be charged until you resume it.`,
  );
  expect(why(null)).toBe(`${closed}, because you have no subscription.`);
  for (const role of ["editor", "publisher", "owner"] as const) {
    expect(why(subscription("canceled", false), role)).toBe(`${open}, because you work here.`);
  }
  // This role watches nothing that its own subscription does not open.
  expect(why(null, "records")).toBe(`${closed}, because you have no subscription.`);
});

test.each<[SubscriptionStatus, boolean, Date, string]>([
  ["trialing", false, LATER, "atPeriodEnd 21 December 2026"],
  ["active", false, LATER, "atPeriodEnd 21 December 2026"],
  ["active", false, EARLIER, "atPeriodEnd null"],
  ["active", true, LATER, "ending 21 December 2026"],
  ["active", true, EARLIER, "over 20 November 2026"],
  ["past_due", false, LATER, "now unpaid"],
  ["past_due", true, LATER, "now unpaid"],
  ["unpaid", false, LATER, "now unpaid"],
  ["incomplete", false, LATER, "now unbegun"],
  ["paused", false, LATER, "now paused"],
  ["incomplete_expired", false, LATER, "over null"],
  ["canceled", true, LATER, "over null"],
])("canceling a subscription that is %s (canceled already: %s, to %s) is: %s", (status, ends, end, kind) => {
  const given = { cancelAtPeriodEnd: ends, currentPeriodEnd: end };
  const cancellation = cancellationState(subscription(status, true, given), NOW);
  const [, more] = Object.entries(cancellation).filter(([name]) => name !== "isTrial");
  expect(`${cancellation.kind} ${more?.[1]}`).toBe(kind);
});

test.each(["incomplete", "past_due", "unpaid"] as const)(
  "a pending bank transfer for a subscription that is %s cannot be stopped here",
  (status) => {
    const cancellation = cancellationState(subscription(status, false, { isPaymentPending: true }), NOW);
    expect(cancellation).toEqual({ kind: "now", why: "paymentPending" });
  },
);

test("canceling during a pending bank transfer for a renewal keeps the period that it pays for", () => {
  const cancellation = cancellationState(subscription("active", false, { isPaymentPending: true }), NOW);
  expect(cancellation.kind).toBe("atPeriodEnd");
});

test("a card is valid to the end of its month, with a warning for sixty days before", () => {
  const of = (expYear: number, expMonth: number) => cardExpiry({ expYear, expMonth }, NOW);
  expect([of(2026, 10), of(2026, 11), of(2026, 12), of(2027, 1), of(2027, 2)]).toEqual([
    "expired",
    "soon",
    "soon",
    "later",
    "later",
  ]);
  expect(cardExpiry({ expYear: null, expMonth: null }, NOW)).toBe("later");
});

const paymentsOf = (userId: string, subscriptionId: string | null = null) =>
  findOwnPayments({ userId, subscriptionId, provider: "demo" });
const listInvoices = async (userId: string) => (await paymentsOf(userId)).invoices;

test("the list shows the person's own invoices, newest first, with refunds and without drafts", async () => {
  const [ada, eve] = [await createMember(), await createMember()];
  const subscriptionId = await subscribe(ada.id);
  const ended = { status: "canceled", endedAt: new Date(LATER.getTime() + 10) } as const;
  await db.update(subscriptions).set(ended).where(eq(subscriptions.id, subscriptionId));
  const given = { currency: "usd", total: 1499, periodStart: NOW, periodEnd: LATER, subscriptionId };
  const row = (id: string, userId: string, more: Partial<typeof invoices.$inferInsert> = {}) => ({
    ...given,
    id,
    userId,
    status: "paid" as const,
    amountPaid: 1499,
    amountRemaining: 0,
    createdAt: NOW,
    ...more,
  });
  await db
    .insert(invoices)
    .values([
      row("in_1", ada.id, { createdAt: EARLIER, amountRefunded: 1499 }),
      row("in_2", ada.id, { amountRefunded: 500 }),
      row("in_3", ada.id, { status: "draft" }),
      row("in_4", ada.id, { createdAt: LATER, status: "open", amountPaid: 0 }),
      row("in_5", eve.id),
    ]);
  const lapsed = { subscriptionId: await subscribe(eve.id, "canceled"), hostedUrl: "https://pay.example/in" };
  await db.update(subscriptions).set(ended).where(eq(subscriptions.id, lapsed.subscriptionId));
  const due = { subscriptionId: await subscribe(eve.id, "past_due"), hostedUrl: "https://pay.example/in" };
  await db
    .insert(invoices)
    .values([
      row("in_6", eve.id, { ...due, status: "open", createdAt: new Date(LATER.getTime() + 1) }),
      row("in_7", eve.id, { ...lapsed, status: "open", createdAt: new Date(LATER.getTime() + 2) }),
      row("in_8", eve.id, { ...due, status: "uncollectible", createdAt: new Date(LATER.getTime() + 3) }),
      row("in_9", eve.id, { ...due, status: "void", createdAt: new Date(LATER.getTime() + 4) }),
    ]);
  expect((await listInvoices(eve.id)).map(({ id, state, pageUrl }) => [id, state, pageUrl])).toEqual([
    ["in_9", "void", "https://pay.example/in"],
    ["in_8", "uncollectible", null],
    ["in_7", "lapsed", null],
    ["in_6", "open", "https://pay.example/in"],
    ["in_5", "paid", null],
  ]);
  await db.update(invoices).set({ amountRemaining: 999 }).where(eq(invoices.id, "in_6"));
  const open = async () => (await listInvoices(eve.id)).find(({ id }) => id === "in_6");
  expect(await open()).toMatchObject({ state: "open", amount: "$14.99", remaining: "$9.99" });
  const isDue = eq(subscriptions.id, due.subscriptionId);
  await db.update(subscriptions).set({ isPaymentPending: true }).where(isDue);
  expect(await open()).toMatchObject({ state: "paymentPending", pageUrl: null });
  const listed = await listInvoices(ada.id);
  expect(listed.map(({ id, state, refunded, date }) => [id, state, refunded, date])).toEqual([
    ["in_4", "lapsed", null, "21 December 2026"],
    ["in_2", "partlyRefunded", "$5.00", "21 November 2026"],
    ["in_1", "refunded", "$14.99", "20 November 2026"],
  ]);
});

test("payments say what the subscription owes, whether there is a customer, and what else is charged", async () => {
  const [ada, eve] = [await createMember(), await createMember()];
  const [current, second] = [await subscribe(ada.id, "past_due"), await subscribe(ada.id)];
  await subscribe(eve.id);
  expect(await paymentsOf(ada.id)).toEqual({
    invoices: [],
    isCustomer: false,
    owed: null,
    others: [],
    purchase: null,
    isWithdrawn: false,
  });
  await db
    .insert(customers)
    .values({ userId: ada.id, provider: "demo", providerCustomerId: `cus_${ada.id}` });
  const due = { userId: ada.id, subscriptionId: current, currency: "usd", total: 1499, amountPaid: 0 };
  const open = { ...due, status: "open" as const, periodStart: NOW, periodEnd: LATER, createdAt: NOW };
  await db.insert(invoices).values([
    { ...open, id: `in_a_${ada.id}`, amountRemaining: 1499 },
    { ...open, id: `in_b_${ada.id}`, amountRemaining: 501 },
    { ...open, id: `in_c_${ada.id}`, amountRemaining: 70, subscriptionId: second },
    { ...open, id: `in_d_${ada.id}`, amountRemaining: 0, status: "paid" },
  ]);
  const found = await paymentsOf(ada.id, current);
  expect(found).toMatchObject({ isCustomer: true, owed: 2000, others: [{ id: second }] });
  expect(found.others).toHaveLength(1);
  expect((await paymentsOf(eve.id, current)).isCustomer).toBe(false);
});

test("an invoice that is canceled or written off is no longer owed, and one of an earlier period does not count", async () => {
  const { id: userId } = await createMember();
  const subscriptionId = await subscribe(userId, "past_due");
  const isTheirs = eq(subscriptions.id, subscriptionId);
  await db.update(subscriptions).set({ currentPeriodStart: NOW }).where(isTheirs);
  const owed = async () => (await paymentsOf(userId, subscriptionId)).owed;
  const due = { userId, subscriptionId, currency: "usd", total: 1499, amountPaid: 0, amountRemaining: 1499 };
  const row = { ...due, periodStart: NOW, periodEnd: LATER };
  await db.insert(invoices).values({ ...row, id: `in_past_${userId}`, status: "void", createdAt: EARLIER });
  expect(await owed()).toBeNull();
  const id = `in_now_${userId}`;
  await db.insert(invoices).values({ ...row, id, status: "open", createdAt: NOW });
  expect(await owed()).toBe(1499);
  for (const status of ["void", "uncollectible"] as const) {
    await db.update(invoices).set({ status }).where(eq(invoices.id, id));
    expect(await owed()).toBe(0);
  }
});

test("an ended subscription owes only what was billed at its end", async () => {
  const { id: userId } = await createMember();
  const subscriptionId = await subscribe(userId, "canceled");
  const ended = { cancelAtPeriodEnd: true, endedAt: NOW };
  await db.update(subscriptions).set(ended).where(eq(subscriptions.id, subscriptionId));
  const due = { userId, subscriptionId, currency: "usd", total: 750, amountPaid: 0, amountRemaining: 750 };
  const open = { ...due, status: "open" as const, periodStart: EARLIER, periodEnd: NOW };
  await db.insert(invoices).values({ ...open, id: `in_before_${userId}`, createdAt: EARLIER });
  expect((await paymentsOf(userId, subscriptionId)).owed).toBeNull();
  await db.insert(invoices).values({ ...open, id: `in_after_${userId}`, createdAt: NOW });
  expect((await paymentsOf(userId, subscriptionId)).owed).toBe(750);
});

test("an invoice that the host sent, or made after the end, is still due once its subscription has ended", async () => {
  const { id: userId } = await createMember();
  const subscriptionId = await subscribe(userId, "canceled");
  const isTheirs = eq(subscriptions.id, subscriptionId);
  await db.update(subscriptions).set({ endedAt: NOW }).where(isTheirs);
  const due = { userId, subscriptionId, currency: "usd", total: 750, amountPaid: 0, amountRemaining: 750 };
  const open = { ...due, status: "open" as const, periodStart: EARLIER, periodEnd: NOW };
  await db.insert(invoices).values([
    { ...open, id: `in_before_${userId}`, createdAt: EARLIER },
    { ...open, id: `in_after_${userId}`, createdAt: LATER },
  ]);
  const states = async () => (await listInvoices(userId)).map(({ state }) => state);
  expect(await states()).toEqual(["open", "lapsed"]);
  await db.update(subscriptions).set({ isInvoiced: true }).where(isTheirs);
  expect(await states()).toEqual(["open", "open"]);
});

test("a payment that arrives after an email said that the subscription never started is shown as too late", async () => {
  const { id: userId } = await createMember();
  const subscriptionId = await subscribe(userId, "canceled");
  const ended = { cancelAtPeriodEnd: true, currentPeriodEnd: NOW, endedAt: NOW };
  await db.update(subscriptions).set(ended).where(eq(subscriptions.id, subscriptionId));
  const id = `in_unbegun_${userId}`;
  const paid = { currency: "usd", total: 750, amountPaid: 750, amountRemaining: 0, status: "paid" as const };
  const period = { periodStart: EARLIER, periodEnd: NOW, createdAt: EARLIER, paidAt: LATER };
  await db.insert(invoices).values({ id, userId, subscriptionId, ...paid, ...period });
  const said = async () => [(await listInvoices(userId))[0]?.state, (await listRefundable(db)).includes(id)];
  expect(await said()).toEqual(["paid", false]);
  await db.insert(billingMails).values({ key: `unbegun:${subscriptionId}`, userId });
  expect(await said()).toEqual(["paidTooLate", true]);
});

test("an invoice names what came for a prepaid period, and a payment that the bank has disputed", async () => {
  const { id: userId } = await createMember();
  const subscriptionId = await subscribe(userId);
  await db.update(subscriptions).set({ isPrepaid: true }).where(eq(subscriptions.id, subscriptionId));
  const paid = { currency: "usd", total: 1499, amountRemaining: 0, status: "paid" as const, subscriptionId };
  const period = { periodStart: EARLIER, periodEnd: LATER, createdAt: EARLIER, paidAt: EARLIER };
  const id = `in_received_${userId}`;
  await db.insert(invoices).values({ id, userId, amountPaid: 750, ...paid, ...period });
  const said = async () => (await listInvoices(userId)).map(({ state, received }) => [state, received]);
  expect(await said()).toEqual([["paid", "$7.50"]]);
  const whole = { amountPaid: 1499, amountDisputed: 1499 };
  await db.update(invoices).set(whole).where(eq(invoices.id, id));
  expect(await said()).toEqual([["disputed", null]]);
});
