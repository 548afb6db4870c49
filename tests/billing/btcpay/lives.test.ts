import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { formatMinute } from "#app/dates.ts";
import { deleteAccount } from "#app/domain/account/delete-account.server.ts";
import { findOwnPayments } from "#app/domain/billing/account/own-invoices.server.ts";
import { requestChange } from "#app/domain/billing/cancellation/cancel.server.ts";
import { endEverything } from "#app/domain/billing/cancellation/end-everything.server.ts";
import { declareWithdrawal, retryWithdrawals } from "#app/domain/billing/cancellation/withdraw.server.ts";
import { findPurchaseOutcome } from "#app/domain/billing/checkout/purchase-outcome.server.ts";
import { sendDueMails } from "#app/domain/billing/mails/reminder-mails.server.ts";
import { linkSale } from "#app/domain/billing/sync/link-sale.server.ts";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { billingEvents, billingFacts } from "#db/schema/billing-events.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { DAY, HOUR, QUARTER, startBtcpayShop } from "#tests/support/billing/btcpay-shop.ts";
import { createMember, letDeletionFallDue, subscribe, type TestMember } from "#tests/support/people.ts";

/** The stand-in's clock is so far behind, so that all of a life is in our past. */
const DAYS_AGO = 100;
const AT_ONCE = /(renews|charged) automatically|next charge is|every month|a month/i;

let shop: Awaited<ReturnType<typeof startBtcpayShop>>;
beforeEach(async () => {
  await db.delete(billingEvents);
  await db.delete(subscriptions);
  await db.delete(billingFacts);
  shop = await startBtcpayShop();
});
afterEach(() => shop.stop());

async function reopen(daysAgo: number) {
  await shop.stop();
  shop = await startBtcpayShop({ daysAgo });
}

const daysFrom = (from: Date | undefined, to: Date | undefined) =>
  ((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / (DAY * 1_000);
const seenBy = async ({ id }: TestMember) =>
  (await findOwnPayments({ userId: id, subscriptionId: null, provider: null })).purchase;
const outcomes = async () => (await db.select().from(billingEvents)).map(({ outcome }) => outcome);
const textOf = async (buyer: TestMember) =>
  (await shop.mailsTo(buyer)).map(({ text }) => text.replaceAll(/\s+/g, " "));

test("a paid invoice gives access for its period, and nothing about the buyer leaves", async () => {
  const buyer = await createMember();
  const { link, checkoutId, page } = await shop.order(buyer);
  await shop.pay(link);
  const row = await shop.rowOf(buyer);
  expect(row).toMatchObject({ provider: "btcpay", status: "active", isPrepaid: true, nextAmount: 0 });
  expect(row?.currentPeriodEnd.getUTCDate()).toBe(row?.currentPeriodStart.getUTCDate());
  expect(await shop.billsOf(buyer)).toMatchObject([
    { id: `btcpay:${page}`, status: "paid", total: 999, amountPaid: 999, currency: "eur", isLate: false },
  ]);
  expect(await shop.checkoutOf(checkoutId)).toMatchObject({
    status: "completed",
    subscriptionId: row?.id,
    consentText: expect.stringContaining("for one month and pay €9.99 once. It does not renew"),
  });
  const mails = await shop.mailsTo(buyer);
  expect(mails.map(({ subject }) => subject)).toEqual(["Peony: Receipt for your new subscription"]);
  const [receipt = ""] = await textOf(buyer);
  expect(receipt).toContain("Membership, €9.99 for one month");
  expect(receipt).toContain("paid once and does not renew, so there is nothing to cancel");
  expect(receipt).not.toMatch(AT_ONCE);
  const sent = JSON.stringify(await shop.api(`/invoices/${page}`));
  expect(sent).toContain(checkoutId);
  for (const own of [buyer.email, buyer.id]) expect(sent).not.toContain(own);
});

test("a payment that waits for its confirmation is named, and gives access once it is confirmed", async () => {
  const buyer = await createMember();
  const { checkoutId, page } = await shop.order(buyer);
  await shop.act("pay", page);
  expect(await shop.rowOf(buyer)).toBeUndefined();
  expect(await findPurchaseOutcome(buyer.id, checkoutId)).toMatchObject({
    kind: "confirming",
    isOwed: false,
  });
  expect((await seenBy(buyer))?.sentence).toContain("seen and waits for confirmation");
  // The page says that it is paid, and no other is made.
  expect((await shop.order(buyer)).page).toBe(page);
  await shop.act("confirm", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
  expect(await findPurchaseOutcome(buyer.id, checkoutId)).toEqual({ kind: "done" });
  expect(await seenBy(buyer)).toBeNull();
});

test("the next period is sold from two weeks before the end, and begins there", async () => {
  const { buyer: early } = await shop.subscriber();
  expect(await shop.start(early)).toEqual({ kind: "subscribed" });
  await reopen(20);
  const { buyer, row } = await shop.subscriber();
  await shop.advance(10 * DAY);
  await shop.pay((await shop.order(buyer, QUARTER)).link);
  const after = await shop.rowOf(buyer);
  expect(after?.id).toBe(row.id);
  expect(daysFrom(row.currentPeriodEnd, after?.currentPeriodEnd)).toBe(90);
  const [, next] = await shop.billsOf(buyer);
  expect([next?.periodStart, next?.periodEnd]).toEqual([row.currentPeriodEnd, after?.currentPeriodEnd]);
  const subjects = (await shop.mailsTo(buyer)).map(({ subject }) => subject);
  expect(subjects).toEqual(["Peony: Receipt for your new subscription", "Peony: Receipt"]);
});

test("two pages that are paid at once lengthen one subscription, and nobody is told to have paid twice", async () => {
  const buyer = await createMember();
  const [month, quarter] = [await shop.order(buyer), await shop.order(buyer, QUARTER)];
  expect(await shop.checkoutOf(month.checkoutId)).toMatchObject({ status: "replaced" });
  shop.control.webhooks({ mode: "hold" });
  shop.control.act("pay", quarter.page);
  shop.control.act("pay", month.page);
  shop.control.act("confirm", month.page);
  shop.control.act("confirm", quarter.page);
  shop.control.webhooks({});
  shop.control.flush();
  await shop.settled();
  const row = await shop.rowOf(buyer);
  expect(daysFrom(row?.created, row?.currentPeriodEnd)).toBeGreaterThanOrEqual(118);
  expect(await shop.billsOf(buyer)).toHaveLength(2);
  for (const id of [month.checkoutId, quarter.checkoutId])
    expect(await shop.checkoutOf(id)).toMatchObject({ status: "completed" });
  expect(await outcomes()).not.toContain("duplicate");
  expect((await textOf(buyer)).join()).not.toContain("twice");
  // Without one of them, the other is what is paid.
  await shop.act("invalidate", month.page);
  const left = await shop.rowOf(buyer);
  expect(left).toMatchObject({ status: "active" });
  expect(daysFrom(left?.currentPeriodStart, left?.currentPeriodEnd)).toBe(90);
});

test("a page that is paid beside a subscription of another provider is no second subscription", async () => {
  const buyer = await createMember();
  const { link } = await shop.order(buyer);
  await subscribe(buyer.id);
  await shop.pay(link);
  const rows = await db.select().from(subscriptions).where(eq(subscriptions.userId, buyer.id));
  expect(rows.map(({ status }) => status)).toEqual(["active", "active"]);
  expect(await outcomes()).not.toContain("duplicate");
  expect((await textOf(buyer)).join()).not.toContain("twice");
});

test("after a gap the same subscription goes on, from the payment on", async () => {
  await reopen(DAYS_AGO);
  const { buyer, row } = await shop.subscriber();
  await shop.advance((DAYS_AGO - 1) * DAY);
  await refreshCustomer(buyer.id);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "canceled", endedAt: row.currentPeriodEnd });
  await shop.pay((await shop.order(buyer)).link);
  const after = await shop.rowOf(buyer);
  expect(after).toMatchObject({ id: row.id, status: "active", endedAt: null });
  expect(daysFrom(after?.currentPeriodStart, new Date())).toBeCloseTo(1, 1);
});

test("a part of the price gives no access, and the member and the host are told once", async () => {
  const buyer = await createMember();
  const { checkoutId, page } = await shop.order(buyer);
  await shop.act("half", page);
  expect(await findPurchaseOutcome(buyer.id, checkoutId)).toMatchObject({
    kind: "partlyPaid",
    sentence: expect.stringContaining("€5.00 of €9.99 has arrived. Please pay the rest"),
    url: `/subscribe/pay/${checkoutId}`,
  });
  expect(await shop.mailsTo(buyer)).toEqual([]);
  await shop.act("expire", page);
  expect(await shop.rowOf(buyer)).toBeUndefined();
  expect(await outcomes()).toContain("partlyPaid");
  expect(await findPurchaseOutcome(buyer.id, checkoutId)).toMatchObject({ kind: "partlyPaid", isOwed: true });
  expect(await seenBy(buyer)).toMatchObject({ isOwed: true });
  const mails = await shop.mailsTo(buyer);
  expect(mails.map(({ subject }) => subject)).toEqual(["Peony: Your payment was not complete"]);
  expect((await textOf(buyer))[0]).toContain("€5.00 of €9.99 arrived before the payment page closed");
  // The host counts it.
  await shop.act("settle", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
  expect(await seenBy(buyer)).toBeNull();
});

test("a part on a page that another has replaced is owed only once that page has closed", async () => {
  const buyer = await createMember();
  const { checkoutId, page } = await shop.order(buyer);
  await shop.order(buyer, QUARTER);
  await shop.act("half", page);
  expect(await shop.checkoutOf(checkoutId)).toMatchObject({ status: "replaced", partPaid: 500 });
  expect(await shop.mailsTo(buyer)).toEqual([]);
  expect(await outcomes()).not.toContain("partlyPaid");
  await shop.act("expire", page);
  expect(await outcomes()).toContain("partlyPaid");
  expect((await textOf(buyer))[0]).toContain("€5.00 of €9.99 arrived before the payment page closed");
});

test("a part that the host counts weeks later gives a whole period from then on, and its receipt says what came", async () => {
  await reopen(21);
  const buyer = await createMember();
  const { page } = await shop.order(buyer);
  await shop.act("half", page);
  await shop.act("expire", page);
  await shop.advance(20 * DAY);
  await shop.act("settle", page);
  const row = await shop.rowOf(buyer);
  expect(daysFrom(row?.currentPeriodStart, new Date())).toBeCloseTo(0, 1);
  expect(await shop.billsOf(buyer)).toMatchObject([{ total: 999, amountPaid: 500, isLate: false }]);
  const receipt = (await textOf(buyer)).at(-1);
  expect(receipt).toContain("€5.00");
  expect(receipt).not.toContain("after the payment page had closed");
  await shop.act("invalidate", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "canceled" });
  expect(await shop.billsOf(buyer)).toMatchObject([{ amountRefunded: 500 }]);
});

test("what the host counts though nothing has come is a payment of the price", async () => {
  const buyer = await createMember();
  const { page } = await shop.order(buyer);
  await shop.act("settle", page);
  expect(await shop.billsOf(buyer)).toMatchObject([{ total: 999, amountPaid: 999, isLate: false }]);
});

test("the rest may come in time, too", async () => {
  const buyer = await createMember();
  const { page } = await shop.order(buyer);
  await shop.act("half", page);
  await shop.act("pay", page);
  await shop.act("confirm", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
  expect(await shop.billsOf(buyer)).toMatchObject([{ amountPaid: 999 }]);
});

test("more than the price counts, and the receipt says how to get the rest back", async () => {
  const buyer = await createMember();
  const { page } = await shop.order(buyer);
  await shop.act("over", page);
  await shop.act("confirm", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
  expect(await shop.billsOf(buyer)).toMatchObject([{ total: 999, amountPaid: 1099 }]);
  expect((await textOf(buyer))[0]).toContain("You paid €1.00 more than the price. Write to");
});

test("a late payment counts once it is confirmed, though its page stays expired", async () => {
  await reopen(2);
  const buyer = await createMember();
  const { checkoutId, page } = await shop.order(buyer);
  await shop.advance(2 * HOUR);
  expect(await shop.checkoutOf(checkoutId)).toMatchObject({ status: "expired" });
  await shop.act("pay", page);
  expect(await shop.rowOf(buyer)).toBeUndefined();
  expect(await findPurchaseOutcome(buyer.id, checkoutId)).toMatchObject({ kind: "unconfirmed" });
  await shop.act("confirm", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
  expect(await shop.billsOf(buyer)).toMatchObject([{ isLate: true }]);
  expect((await textOf(buyer))[0]).toContain("arrived after the payment page had closed. It counts");
});

test("money that the network never confirms gives nothing, until the host counts it", async () => {
  await reopen(3);
  const buyer = await createMember();
  const { checkoutId, page } = await shop.order(buyer);
  await shop.act("pay", page);
  await shop.act("stall", page);
  await shop.advance(26 * HOUR);
  expect(await shop.checkoutOf(checkoutId)).toMatchObject({ status: "expired", isPaymentPending: true });
  expect(await shop.rowOf(buyer)).toBeUndefined();
  expect(await findPurchaseOutcome(buyer.id, checkoutId)).toMatchObject({
    kind: "unconfirmed",
    isOwed: true,
  });
  await shop.act("settle", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
});

test("events that come twice and in reverse lead to the same", async () => {
  const buyer = await createMember();
  const { page } = await shop.order(buyer);
  await shop.settled();
  shop.control.webhooks({ mode: "hold" });
  shop.control.act("half", page);
  shop.control.act("over", page);
  shop.control.act("confirm", page);
  const held = shop.control.heldBack();
  shop.control.webhooks({ repeat: 2 });
  shop.control.flush({ order: held.map((_, index) => held.length - 1 - index) });
  await shop.settled();
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
  expect(await shop.billsOf(buyer)).toHaveLength(1);
  expect(await shop.mailsTo(buyer)).toHaveLength(1);
  expect(await db.$count(billingFacts)).toBe(1);
});

test("what the host marks as invalid is taken back, and its time with it", async () => {
  const { buyer, page, checkoutId } = await shop.subscriber();
  await shop.act("invalidate", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "canceled" });
  expect(await shop.billsOf(buyer)).toMatchObject([{ amountRefunded: 999 }]);
  // It stays so. Another invoice for the same order counts.
  await shop.act("settle", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "canceled" });
  const order = { amount: "9.99", currency: "EUR", metadata: { orderId: checkoutId } };
  const { id } = await shop.api("/invoices", order);
  await shop.act("settle", id);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
});

test("a refunded period is taken back with an email, whether or not one before it goes on", async () => {
  await reopen(20);
  const { buyer, row } = await shop.subscriber();
  const second = await shop.order(buyer);
  await shop.pay(second.link);
  await shop.act("invalidate", second.page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active", currentPeriodEnd: row.currentPeriodEnd });
  const [mail, ...others] = (await shop.mailsTo(buyer)).filter(({ subject }) => subject.includes("refunded"));
  expect(others).toEqual([]);
  const text = mail?.text.replaceAll(/\s+/g, " ");
  expect(text).toContain("€9.99 of your payment on");
  expect(text).toContain(`no longer counts. You have access until ${formatMinute(row.currentPeriodEnd)}.`);
});

test("after a gap, a refunded period is told too, although its subscription had ended once before", async () => {
  await reopen(DAYS_AGO);
  const { buyer } = await shop.subscriber();
  await shop.advance((DAYS_AGO - 1) * DAY);
  await refreshCustomer(buyer.id);
  const { link, page } = await shop.order(buyer);
  await shop.pay(link);
  await shop.act("invalidate", page);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "canceled" });
  expect((await textOf(buyer)).at(-1)).toMatch(/€9\.99 of your payment .* Your subscription has ended\./);
});

test("an invoice for another amount gives nothing, and hinders no right one", async () => {
  const buyer = await createMember();
  const { checkoutId, link } = await shop.order(buyer);
  const made = await shop.api("/invoices", {
    amount: "0.01",
    currency: "EUR",
    metadata: { orderId: checkoutId },
  });
  await shop.pay(made.checkoutLink);
  expect(await shop.rowOf(buyer)).toBeUndefined();
  expect(await outcomes()).toContain("mismatch");
  expect(await findPurchaseOutcome(buyer.id, checkoutId)).toEqual({ kind: "mismatch" });
  await shop.pay(link);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
  expect(await shop.checkoutOf(checkoutId)).toMatchObject({ status: "completed" });
});

test("there is nothing to cancel, and an account that is closed loses its time", async () => {
  const { buyer, row } = await shop.subscriber();
  expect(await requestChange({ id: row.id, userId: buyer.id }, "cancel")).toBe("over");
  expect(await shop.rowOf(buyer)).toMatchObject({ cancelAtPeriodEnd: false, isRequestOpen: false });
  expect(await endEverything(buyer.id)).toBe("done");
  await refreshCustomer(buyer.id);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "canceled" });
  const kept = (await textOf(buyer)).join();
  expect(kept).not.toContain("canceled");
  // What is paid after that begins anew. BTCPay names whole seconds.
  await shop.advance(2);
  await shop.pay((await shop.order(buyer)).link);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active", endedAt: null });
});

test("an account with time that is paid for is closed when its provider is no longer set up", async () => {
  const { buyer } = await shop.subscriber();
  const { btcpay } = config.billing;
  config.billing.btcpay = null;
  expect(await endEverything(buyer.id)).toBe("done");
  await db.update(subscriptions).set({ isPrepaid: false });
  expect(await endEverything(buyer.id)).toBe("unknownToProvider");
  config.billing.btcpay = btcpay;
});

test("what was paid beforehand is not linked as a sale without its event", async () => {
  const buyer = await createMember();
  await shop.order(buyer);
  expect(await linkSale("btcpay:1", buyer.email, { isDryRun: true })).toEqual({ refused: "noProvider" });
});

test("a withdrawal ends what was paid until then, and not what is paid after it", async () => {
  const { buyer, row } = await shop.subscriber();
  expect(await declareWithdrawal({ id: row.id, userId: buyer.id })).toBe("received");
  await shop.settled();
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "canceled" });
  await shop.advance(2);
  await shop.pay((await shop.order(buyer)).link);
  // Until our own clock is past the payment.
  await sleep(2_500);
  await retryWithdrawals();
  await shop.settled();
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
});

test("a payment for an account that is gone is named to the host", async () => {
  const buyer = await createMember();
  const { link, checkoutId } = await shop.order(buyer);
  expect(await endEverything(buyer.id)).toBe("done");
  await letDeletionFallDue(buyer.id);
  expect(await deleteAccount(buyer.id)).toBe("deleted");
  await shop.pay(link);
  expect(await outcomes()).toContain("mismatch");
  expect(await db.$count(subscriptions)).toBe(0);
  expect(await db.$count(billingFacts)).toBe(0);
  expect(await shop.checkoutOf(checkoutId)).toMatchObject({ userId: null });
});

test("the end is announced seven days and one day before, unless the next period is paid", async () => {
  const { buyer, row } = await shop.subscriber();
  const before = (days: number) => new Date(row.currentPeriodEnd.getTime() - days * DAY * 1_000);
  const sent = async (days: number) => {
    await sendDueMails(before(days));
    return (await shop.mailsTo(buyer)).filter(({ kind }) => kind === "billing-period-ending").length;
  };
  expect([await sent(8), await sent(7), await sent(5)]).toEqual([0, 1, 1]);
  const mail = (await shop.mailsTo(buyer)).at(-1);
  expect(mail?.subject).toMatch(/^Peony: Your subscription ends on \d+ \w+ \d{4}$/);
  expect(mail?.text).toContain("/subscribe");
  expect(mail?.text.replaceAll(/\s+/g, " ")).toContain("You lose no time by paying early");
  expect([await sent(1), await sent(0.5)]).toEqual([2, 2]);
  // Another period: its end is announced instead.
  await db.execute(sql`UPDATE checkouts SET created_at = now() - interval '3 days'`);
  await db
    .update(subscriptions)
    .set({ currentPeriodEnd: before(-30) })
    .where(eq(subscriptions.id, row.id));
  expect(await sent(0.5)).toBe(2);
  expect(await sent(-23)).toBe(3);
});

test("an email confirms the end of the paid time", async () => {
  await reopen(91);
  const buyer = await createMember();
  await shop.pay((await shop.order(buyer, QUARTER)).link);
  await db.update(subscriptions).set({ status: "active", endedAt: null });
  await refreshCustomer(buyer.id);
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "canceled" });
  const [, ended] = await shop.mailsTo(buyer);
  expect(ended?.subject).toBe("Peony: Your subscription has ended");
  expect((await textOf(buyer))[1]).toContain(
    "You will not be charged again. Plan: Membership, €24.99 for 90 days",
  );
});
