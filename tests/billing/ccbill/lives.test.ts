import { eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { changeSubscription } from "#app/domain/billing/cancellation/change-subscription.server.ts";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { billingFacts, billingMails, checkouts, invoices, subscriptions } from "#db/schema/billing.ts";
import { DAY, QUARTERLY, startCcbillShop } from "#tests/support/billing/ccbill-shop.ts";
import { createMember, type TestMember } from "#tests/support/people.ts";

const FAILS_LATER = "0341";
/** The stand-in's clock is so far behind, so that all of a life is in our past. */
const DAYS_AGO = 100;

let shop: Awaited<ReturnType<typeof startCcbillShop>>;
beforeAll(async () => {
  shop = await startCcbillShop({ daysAgo: DAYS_AGO });
});
beforeEach(() => shop.control.webhooks({}));
afterAll(() => shop.stop());

const rowOf = async (buyer: TestMember) => (await shop.rowsOf(buyer))[0];
const billsOf = (subscriptionId: string) =>
  db.select().from(invoices).where(eq(invoices.subscriptionId, subscriptionId)).orderBy(invoices.createdAt);

async function after(days: number) {
  await shop.control.advance(days * DAY);
  await shop.settled();
}

test("a purchase is completed by its sale, without anything about the buyer but the card", async () => {
  const buyer = await createMember();
  const { link, checkoutId, way } = await shop.order(buyer);
  expect(way).toBe(`/subscribe/pay/${checkoutId}`);
  await shop.pay(link);
  const [row] = await shop.rowsOf(buyer);
  expect(row).toMatchObject({
    provider: "ccbill",
    status: "active",
    priceId: "price_of_30_days",
    nextAmount: 999,
  });
  expect(await billsOf(row?.id ?? "")).toMatchObject([{ status: "paid", amountPaid: 999, currency: "usd" }]);
  const [checkout] = await db.select().from(checkouts).where(eq(checkouts.id, checkoutId));
  expect(checkout).toMatchObject({ status: "completed", subscriptionId: row?.id });
  const kept = JSON.stringify(await db.select().from(billingFacts));
  expect(kept).toContain("4242");
  for (const own of ["ada@example.com", "Ada", buyer.email, "127.0.0.1"]) expect(kept).not.toContain(own);
});

test("it is renewed, fails, recovers, is canceled by CCBill's support, and expires", async () => {
  const { buyer, id, theirs } = await shop.subscriber();
  const first = (await rowOf(buyer))?.currentPeriodEnd.getTime() ?? 0;
  await after(31);
  expect(await billsOf(id)).toHaveLength(2);
  expect(await rowOf(buyer)).toMatchObject({
    status: "active",
    currentPeriodEnd: new Date(first + 30 * DAY * 1000),
  });
  shop.control.act("fail", theirs);
  await after(30);
  expect(await rowOf(buyer)).toMatchObject({ status: "past_due" });
  expect((await billsOf(id)).map(({ status }) => status)).toEqual(["paid", "paid", "open"]);
  await after(2);
  expect(await rowOf(buyer)).toMatchObject({ status: "active" });
  expect((await billsOf(id)).map(({ status }) => status)).toEqual(["paid", "paid", "void", "paid"]);
  shop.control.act("cancel", theirs);
  await shop.settled();
  expect(await rowOf(buyer)).toMatchObject({ status: "active", cancelAtPeriodEnd: true, nextAmount: 0 });
  shop.control.act("reactivate", theirs);
  await shop.settled();
  expect(await rowOf(buyer)).toMatchObject({ cancelAtPeriodEnd: false });
  shop.control.act("cancel", theirs);
  await after(31);
  expect(await rowOf(buyer)).toMatchObject({ status: "canceled" });
});

test("after the last failed attempt it is over at once", async () => {
  const early = await startCcbillShop({ daysAgo: DAYS_AGO });
  const { buyer } = await early.subscriber(FAILS_LATER);
  await early.control.advance(35 * DAY);
  await early.settled();
  expect((await early.rowsOf(buyer))[0]).toMatchObject({ status: "canceled", canceledAt: expect.any(Date) });
  await early.stop();
  shop.use();
});

test.each([
  ["refund", { amountRefunded: 999, amountDisputed: 0 }],
  ["void", { amountRefunded: 999, amountDisputed: 0 }],
  ["chargeback", { amountRefunded: 0, amountDisputed: 999 }],
] as const)("a %s ends it at once", async (how, amounts) => {
  const { buyer, id, theirs } = await shop.subscriber();
  shop.control.act(how, theirs);
  await shop.settled();
  expect(await rowOf(buyer)).toMatchObject({ status: "canceled" });
  expect(await billsOf(id)).toMatchObject([amounts]);
});

test("events that come twice, in reverse, and as forms lead to the same", async () => {
  const { buyer, id, theirs } = await shop.subscriber();
  shop.control.write("form");
  shop.control.webhooks({ mode: "hold", repeat: 2 });
  shop.control.act("renew", theirs);
  shop.control.act("cancel", theirs);
  shop.control.act("reactivate", theirs);
  shop.control.act("refund", theirs);
  const heldBack = shop.control.heldBack();
  shop.control.webhooks({ repeat: 3 });
  shop.control.flush({ order: heldBack.map((_, index) => heldBack.length - 1 - index) });
  await shop.settled();
  expect(await rowOf(buyer)).toMatchObject({ status: "canceled" });
  expect((await billsOf(id)).map(({ amountRefunded }) => amountRefunded)).toEqual([0, 999]);
  shop.control.write("json");
});

test("a cancellation here is sent to CCBill, and is final", async () => {
  const { buyer, id } = await shop.subscriber();
  const own = { id, userId: buyer.id };
  expect(await changeSubscription(own, "cancel")).toBe("done");
  await shop.settled();
  expect(await rowOf(buyer)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  expect(await changeSubscription(own, "cancel")).toBe("done");
});

test("a replaced purchase that is paid late counts, and a second one is canceled at once", async () => {
  const buyer = await createMember();
  const first = await shop.order(buyer);
  const second = await shop.order(buyer, QUARTERLY);
  expect(second.checkoutId).not.toBe(first.checkoutId);
  await shop.pay(first.link);
  expect(await shop.rowsOf(buyer)).toMatchObject([{ status: "active", priceId: "price_of_30_days" }]);
  await shop.pay(second.link);
  await shop.pay(first.link);
  const rows = await shop.rowsOf(buyer);
  expect(rows.map(({ cancelAtPeriodEnd }) => cancelAtPeriodEnd)).toEqual([false, true, true]);
  await refreshCustomer(buyer.id);
  const mails = await db.select().from(billingMails).where(eq(billingMails.userId, buyer.id));
  expect(mails.filter(({ key }) => key.startsWith("paid-twice:"))).toHaveLength(2);
});

test("a sale for other terms, or for no purchase of ours, gives nothing and is canceled at CCBill", async () => {
  const [cheap, dear] = [await createMember(), await createMember()];
  const { link } = await shop.order(cheap);
  const other = new URL((await shop.order(dear, QUARTERLY)).link);
  const mixed = new URL(link);
  mixed.searchParams.set("peony_checkout", other.searchParams.get("peony_checkout") ?? "");
  await shop.pay(mixed.href);
  mixed.searchParams.set("peony_checkout", "c0ffee00-0000-4000-8000-000000000001");
  await shop.pay(mixed.href);
  mixed.searchParams.delete("peony_checkout");
  await shop.pay(mixed.href);
  expect([await shop.rowsOf(cheap), await shop.rowsOf(dear)]).toEqual([[], []]);
  const sold = await db
    .select()
    .from(billingFacts)
    .where(isNull(subscriptions.id))
    .leftJoin(subscriptions, eq(subscriptions.id, billingFacts.subscriptionId));
  const ids = new Set(
    sold.map(({ billing_facts: { subscriptionId } }) => subscriptionId?.replace("ccbill:", "") ?? ""),
  );
  const states = await Promise.all([...ids].map((id) => shop.dataLink.readStatus(id)));
  expect(states.map((one) => one?.state)).toEqual(["ending", "ending", "ending"]);
});
