import { eq, isNull, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeSubscription } from "#app/domain/billing/cancellation/change-subscription.server.ts";
import { probeSubscriptions, readFeeds } from "#app/domain/billing/events/ask-providers.server.ts";
import { countRefusals, noteRefusal } from "#app/domain/billing/events/missed-events.server.ts";
import { listUnknownEvents } from "#app/domain/billing/events/receive-event.server.ts";
import { providerOf } from "#app/domain/billing/providers/providers.server.ts";
import { linkSale } from "#app/domain/billing/sync/link-sale.server.ts";
import { db } from "#db/client.server.ts";
import { billingEvents, billingFacts } from "#db/schema/billing-events.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { invoices } from "#db/schema/invoices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { serviceChecks } from "#scripts/doctor/service-checks.ts";
import { DAY, QUARTERLY, startCcbillShop } from "#tests/support/billing/ccbill-shop.ts";
import { runJobs } from "#tests/support/billing/run-jobs.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";
import { createMember } from "#tests/support/people.ts";

const STATUS = "/utils/";
const ACCOUNT = { clientAccnum: "900100", clientSubacc: "0000" };

let shop: Awaited<ReturnType<typeof startCcbillShop>>;
beforeEach(async () => {
  await db.delete(billingEvents);
  await db.delete(subscriptions);
  await db.delete(billingFacts);
  shop = await startCcbillShop();
});
afterEach(async () => {
  await shop.stop();
});

/** As if the sales had been reported so long ago. */
const age = (seconds: number) =>
  db.execute(sql`UPDATE billing_facts SET received_at = now() - make_interval(secs => ${seconds})`);

async function post(fields: Record<string, string>): Promise<number> {
  const url = new URL(shop.site.url);
  for (const name of ["clientAccnum", "clientSubacc", "eventType"])
    url.searchParams.set(name, fields[name] ?? "");
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(fields) });
  await runJobs();
  return answer.status;
}

test("a forged call, a wrong token and another account change nothing", async () => {
  const buyer = await createMember();
  const { link } = await shop.order(buyer);
  shop.control.webhooks({ forgedShare: 1, retryMs: 60_000 });
  await submit(link, { card: "4242" });
  await expect.poll(() => shop.site.answers).toEqual(["address"]);
  shop.site.setToken("t".repeat(31));
  const sale = { ...ACCOUNT, eventType: "Expiration", subscriptionId: "1" };
  expect(await post(sale)).toBe(403);
  shop.site.setToken(shop.settings.webhookToken);
  expect(await post({ ...sale, clientAccnum: "900101" })).toBe(403);
  expect(await post({ ...sale, clientSubacc: "0001" })).toBe(200);
  expect(shop.site.answers).toEqual(["address", "token", "account", "ignored"]);
  expect([await db.$count(billingEvents), await db.$count(billingFacts)]).toEqual([0, 0]);
});

test("of a buyer, only the card is kept", async () => {
  const { buyer } = await shop.subscriber();
  const kept = JSON.stringify(await db.select().from(billingFacts));
  expect(kept).toContain("4242");
  for (const own of ["ada@example.com", "Ada", buyer.email, "127.0.0.1"]) expect(kept).not.toContain(own);
});

test("a void ends it at once, and events may come as forms", async () => {
  const { buyer, id, theirs } = await shop.subscriber();
  shop.control.write("form");
  shop.control.act("void", theirs);
  await shop.settled();
  expect((await shop.rowsOf(buyer))[0]).toMatchObject({ status: "canceled" });
  const bills = await db.select().from(invoices).where(eq(invoices.subscriptionId, id));
  expect(bills).toMatchObject([{ amountRefunded: 999, amountDisputed: 0 }]);
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

test("an event of an unknown kind is kept and named", async () => {
  const event = {
    clientAccnum: "900100",
    clientSubacc: "0000",
    eventType: "SubscriptionPaused",
    subscriptionId: "1",
  };
  expect(await post(event)).toBe(200);
  expect(await post(event)).toBe(200);
  expect(await listUnknownEvents()).toMatchObject([
    { provider: "ccbill", type: "SubscriptionPaused", amount: 1 },
  ]);
});

test("a sale that CCBill does not know opens nothing, and is closed for good when it stays unknown", async () => {
  const { buyer, id } = await shop.subscriber();
  const [sale] = await db
    .select()
    .from(billingFacts)
    .where(eq(billingFacts.id, id.replace(":", ":sale:")));
  const terms = sale?.fact.terms as { first: { amount: number } };
  expect(terms.first.amount).toBe(999);
  // The same sale with an id of which CCBill knows nothing.
  const another = await createMember();
  const { checkoutId } = await shop.order(another);
  const fields = {
    ...{ ...ACCOUNT, eventType: "NewSaleSuccess" },
    ...{
      subscriptionId: "77",
      transactionId: "77",
      timestamp: "2026-11-30 01:00:00",
      "X-peony_checkout": checkoutId,
    },
    ...{ billedInitialPrice: "9.99", billedRecurringPrice: "9.99", billedCurrencyCode: "840" },
    ...{ initialPeriod: "30", recurringPeriod: "30", rebills: "99" },
  };
  expect(await post(fields)).toBe(200);
  expect(await shop.rowsOf(another)).toEqual([]);
  await age(1_000);
  await expect(providerOf("ccbill")?.readSubscription("ccbill:77")).resolves.toMatchObject({
    status: "canceled",
  });
  expect(await listUnknownEvents()).toMatchObject([
    { type: "sale that the provider does not know", amount: 1 },
  ]);
  expect(await shop.rowsOf(buyer)).toMatchObject([{ status: "active" }]);
});

test("while CCBill cannot be asked a sale waits a minute, then opens, and is asked about later", async () => {
  const buyer = await createMember();
  const { link } = await shop.order(buyer);
  shop.control.failNext({ status: 503, pathIncludes: STATUS, times: 4 });
  await shop.pay(link);
  expect(await shop.rowsOf(buyer)).toEqual([]);
  await age(61);
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET run_at = now()`);
  await shop.settled();
  expect(await shop.rowsOf(buyer)).toMatchObject([{ status: "active" }]);
  const isConfirmed = async () => JSON.stringify(await db.select().from(billingFacts)).includes("probed");
  expect(await isConfirmed()).toBe(false);
  expect(await probeSubscriptions()).toEqual([{ provider: "ccbill", found: 1, failed: null }]);
  expect(await isConfirmed()).toBe(true);
});

test.each([
  ["before", false],
  ["after", true],
])("a cancellation whose answer is uncertain is looked up: %s its effect", async (_, afterEffect) => {
  const { buyer, id, theirs } = await shop.subscriber();
  const provider = providerOf("ccbill");
  for (const order of [{ code: -7 }, { status: 500 }, { code: 0 }]) {
    shop.control.failNext({ ...order, afterEffect, pathIncludes: STATUS });
    const canceled = provider?.endAtPeriodEnd(id);
    if (afterEffect) await canceled;
    else await expect(canceled).rejects.toThrow("Try again later");
  }
  const state = afterEffect ? "ending" : "renewing";
  expect(await shop.dataLink.readStatus(theirs)).toMatchObject({ state });
  const own = { id, userId: buyer.id };
  expect(await changeSubscription(own, "cancel")).toBe("done");
  expect(await shop.dataLink.readStatus(theirs)).toMatchObject({ state: "ending" });
});

test("a wrong login is tried once, so that CCBill does not lock it, and a lock is left alone for an hour", async () => {
  const { id, theirs } = await shop.subscriber();
  shop.use({ dataLinkPassword: "wrong" });
  const provider = providerOf("ccbill");
  for (let time = 0; time < 4; time += 1)
    await expect(provider?.endAtPeriodEnd(id)).rejects.toThrow(
      "CCBill rejects the login in CCBILL_DATALINK_USER",
    );
  expect(await shop.dataLink.readStatus(theirs)).toMatchObject({ state: "renewing" });
  expect(await provider?.findFault()).toContain("CCBill rejects the login");
  for (const [code, message] of [
    [-8, "IP address"],
    [-9, "deactivated"],
    [-10, "not set up"],
    [-12, "locked"],
  ] as const) {
    shop.use();
    shop.control.failNext({ code, pathIncludes: STATUS });
    const fresh = providerOf("ccbill");
    await expect(fresh?.endAtPeriodEnd(id)).rejects.toThrow(message);
    // What is stored needs no CCBill.
    await expect(fresh?.readSubscription(id)).resolves.toMatchObject({ status: "active" });
    await expect(fresh?.endAtPeriodEnd(id)).rejects.toThrow(message);
  }
  shop.use();
  expect(await providerOf("ccbill")?.findFault()).toBeNull();
  expect(await shop.dataLink.readStatus(theirs)).toMatchObject({ state: "renewing" });
});

test("lost events come by the hourly list, and count once beside those that arrive", async () => {
  await shop.stop();
  shop = await startCcbillShop({ daysAgo: 30.5 });
  const { buyer, id, theirs } = await shop.subscriber();
  const paid = () => db.select().from(invoices).where(eq(invoices.subscriptionId, id));
  shop.control.webhooks({ mode: "hold" });
  await shop.control.advance(30.5 * DAY);
  shop.control.act("refund", theirs);
  expect((await readFeeds()).map(({ failed }) => failed)).toEqual([null]);
  await shop.settled();
  expect((await shop.rowsOf(buyer))[0]).toMatchObject({ status: "canceled" });
  expect(await paid()).toHaveLength(2);
  const before = await db.select().from(billingFacts);
  shop.control.webhooks({});
  shop.control.flush();
  await shop.settled();
  const after = await paid();
  expect(after.map(({ amountRefunded }) => amountRefunded).toSorted()).toEqual([0, 999]);
  const money = (facts: typeof before) =>
    facts.filter(({ fact }) => ["renewal", "returned", "expired"].includes(String(fact.kind))).length;
  expect(money(await db.select().from(billingFacts))).toBe(money(before));
  // Within the hour nothing is asked.
  expect(await readFeeds()).toEqual([]);
  await db.execute(
    sql`UPDATE billing_events SET received_at = now() - interval '2 hours' WHERE type = 'feed'`,
  );
  await shop.control.advance(3_601);
  expect(await readFeeds()).toEqual([{ provider: "ccbill", found: 0, failed: null }]);
});

test("a sale whose event was lost is named until the event comes", async () => {
  const buyer = await createMember();
  const { link } = await shop.order(buyer);
  shop.control.webhooks({ mode: "hold" });
  await shop.pay(link);
  expect(await readFeeds()).toMatchObject([{ found: 1, failed: null }]);
  expect(await listUnknownEvents()).toMatchObject([{ type: "sale without its event", amount: 1 }]);
  const check = serviceChecks().find(({ name }) => name === "payments");
  expect(await check?.run()).toMatchObject({
    advice: expect.stringContaining("1 sale at ccbill came without its event: link it (docs/payments.md)."),
  });
  expect(JSON.stringify(await db.select().from(billingEvents))).not.toContain("ada@example.com");
  shop.control.webhooks({});
  shop.control.flush();
  await shop.settled();
  expect(await listUnknownEvents()).toEqual([]);
  expect(await shop.rowsOf(buyer)).toMatchObject([{ status: "active" }]);
});

test("a sale whose event is lost for good is linked to its buyer by the host, and its late event changes nothing", async () => {
  const [buyer, other] = [await createMember(), await createMember()];
  const { link, checkoutId } = await shop.order(buyer);
  shop.control.webhooks({ mode: "hold" });
  await shop.pay(link);
  await readFeeds();
  const [event] = await db
    .select()
    .from(billingEvents)
    .where(eq(billingEvents.type, "sale without its event"));
  const id = event?.subjectId ?? "";
  const give = (subscription: string, { email }: { email: string }, isDryRun = false) =>
    linkSale(subscription, email, { isDryRun });
  expect(await give(id, other)).toEqual({ refused: "noPurchase" });
  expect(await give("other:1", buyer)).toEqual({ refused: "noProvider" });
  expect(await give("ccbill:99", buyer)).toEqual({ refused: "unknownToProvider" });
  expect(await give(id, buyer, true)).toMatchObject({ userId: buyer.id, outcome: null });
  expect(await shop.rowsOf(buyer)).toEqual([]);
  expect(await give(id, buyer)).toMatchObject({
    plan: "Membership, $9.99 every 30 days",
    outcome: "written",
  });
  expect(await shop.rowsOf(buyer)).toMatchObject([{ id, status: "active", nextAmount: 999 }]);
  const [checkout] = await db.select().from(checkouts).where(eq(checkouts.id, checkoutId));
  expect(checkout).toMatchObject({ status: "completed", subscriptionId: id });
  expect(await listUnknownEvents()).toEqual([]);
  expect(await give(id, buyer)).toEqual({ refused: "known" });
  shop.control.webhooks({});
  shop.control.flush();
  await shop.settled();
  expect(await shop.rowsOf(buyer)).toMatchObject([{ id, status: "active" }]);
  const paid = await db.select().from(invoices).where(eq(invoices.subscriptionId, id));
  expect(paid.map(({ amountPaid }) => amountPaid)).toEqual([999]);
});

test("a probe stores a fact only where CCBill disagrees", async () => {
  const { buyer, theirs } = await shop.subscriber();
  const count = () => db.$count(billingFacts);
  const before = await count();
  await db.execute(sql`UPDATE subscriptions SET current_period_end = now() - interval '1 day'`);
  expect(await probeSubscriptions()).toEqual([{ provider: "ccbill", found: 0, failed: null }]);
  expect(await count()).toBe(before);
  shop.control.webhooks({ mode: "drop" });
  shop.control.act("cancel", theirs);
  expect(await probeSubscriptions()).toEqual([{ provider: "ccbill", found: 1, failed: null }]);
  expect(await shop.rowsOf(buyer)).toMatchObject([{ status: "active", cancelAtPeriodEnd: true }]);
  await shop.control.advance(31 * DAY);
  shop.control.failNext({ status: 503, pathIncludes: STATUS });
  await db.execute(sql`UPDATE subscriptions SET current_period_end = now() - interval '1 day'`);
  expect(await probeSubscriptions()).toMatchObject([{ found: 0, failed: expect.stringContaining("503") }]);
});

test("the doctor asks whether the login works, and says what to enter at CCBill", async () => {
  const [check] = serviceChecks().filter(({ name }) => name === "payments");
  const good = await check?.run();
  expect(good).toMatchObject({ isOk: true });
  const detail = good?.isOk ? good.detail : "";
  expect(detail).toContain("/api/billing/webhook/ccbill/<CCBILL_WEBHOOK_TOKEN>");
  expect(detail).toContain("/subscribe/return?checkout=%%peony_checkout%%");
  expect(detail).toContain("64.38.212.0/24, 127.0.0.1/32");
  for (let call = 0; call < 5; call += 1) noteRefusal("ccbill", "address");
  await countRefusals();
  expect(await check?.run()).toMatchObject({
    isOk: false,
    advice: expect.stringMatching(
      /^\d calls of ccbill were refused within a day: .*TRUST_PROXY.*Check: enter .*64\.38\.212\.0/,
    ),
  });
  await post({ ...ACCOUNT, eventType: "SubscriptionPaused" });
  expect(await check?.run()).toMatchObject({
    isOk: false,
    advice: expect.stringContaining("SubscriptionPaused"),
  });
  shop.use({ dataLinkPassword: "wrong" });
  const advice = JSON.stringify(await check?.run());
  expect(advice).toContain("CCBill rejects the login");
  for (const secret of [
    shop.settings.webhookToken,
    shop.settings.dataLinkPassword,
    "wrong",
    shop.settings.salt,
  ])
    expect(detail + advice).not.toContain(secret);
});
