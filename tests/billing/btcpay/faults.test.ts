import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readFeeds } from "#app/domain/billing/events/ask-providers.server.ts";
import { listUnknownEvents } from "#app/domain/billing/events/receive-event.server.ts";
import { providerOf } from "#app/domain/billing/providers/providers.server.ts";
import { db } from "#db/client.server.ts";
import { billingEvents, billingFacts } from "#db/schema/billing-events.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { signatureOf } from "#demo/btcpay/webhook-request.ts";
import { serviceChecks } from "#scripts/doctor/service-checks.ts";
import { DAY, HOUR, SETTINGS, startBtcpayShop } from "#tests/support/billing/btcpay-shop.ts";
import { runJobs } from "#tests/support/billing/run-jobs.ts";
import { createMember } from "#tests/support/people.ts";

const INVOICES = "/invoices";

let shop: Awaited<ReturnType<typeof startBtcpayShop>>;
beforeEach(async () => {
  await db.delete(billingEvents);
  await db.delete(subscriptions);
  await db.delete(billingFacts);
  await db.delete(checkouts);
  shop = await startBtcpayShop();
});
afterEach(() => shop.stop());

async function post(event: object, { secret = SETTINGS.webhookSecret, body = JSON.stringify(event) } = {}) {
  const headers = { "btcpay-sig": signatureOf(body, secret) };
  const answer = await fetch(shop.site.url, { method: "POST", body, headers });
  await runJobs();
  return answer.status;
}

const settledEvent = (more: object = {}) => ({
  ...{ deliveryId: "d1", originalDeliveryId: "d1", webhookId: "w1", isRedelivery: false },
  ...{ type: "InvoiceSettled", timestamp: 1_764_075_600, storeId: "s1", invoiceId: "i1" },
  metadata: { orderId: "c0ffee00-0000-4000-8000-000000000001" },
  ...more,
});

test("a forged event, another store's and one without a form change nothing", async () => {
  const buyer = await createMember();
  const { link } = await shop.order(buyer);
  await shop.settled();
  shop.control.webhooks({ forgedShare: 1 });
  await shop.pay(link);
  expect(await shop.rowOf(buyer)).toBeUndefined();
  expect(new Set(shop.site.answers)).toEqual(new Set(["ignored", "signature"]));
  expect(await post(settledEvent(), { secret: "of somebody else" })).toBe(403);
  expect(await post(settledEvent({ storeId: "s2" }))).toBe(403);
  expect(await post({}, { body: "{" })).toBe(400);
  expect(shop.site.answers.slice(-3)).toEqual(["signature", "account", "form"]);
  expect(await db.$count(billingEvents)).toBe(0);
});

test("an event alone gives nothing: the invoice is read", async () => {
  const buyer = await createMember();
  const { checkoutId } = await shop.order(buyer);
  await shop.settled();
  expect(await post(settledEvent({ metadata: { orderId: checkoutId } }))).toBe(200);
  expect(await shop.rowOf(buyer)).toBeUndefined();
  expect(await db.$count(billingFacts)).toBe(0);
});

test("an event of an unknown kind is kept and named, and the host's other invoices are left alone", async () => {
  const unknown = settledEvent({ type: "InvoiceEvaporated" });
  expect(await post(unknown)).toBe(200);
  expect(await post({ ...unknown, deliveryId: "d2", isRedelivery: true })).toBe(200);
  expect(await listUnknownEvents()).toMatchObject([
    { provider: "btcpay", type: "InvoiceEvaporated", amount: 1 },
  ]);
  const others = ["order-17", "c0ffee00-0000-4000-8000-000000000099", null];
  for (const [at, orderId] of others.entries())
    expect(await post(settledEvent({ originalDeliveryId: `o${at}`, metadata: { orderId } }))).toBe(200);
  expect(await db.$count(subscriptions)).toBe(0);
});

test("what was lost comes by the hourly list, however long the site was away", async () => {
  await shop.stop();
  shop = await startBtcpayShop({ daysAgo: 12 });
  shop.control.webhooks({ mode: "drop" });
  const [paid, waits, part, late, away] = await Promise.all(Array.from({ length: 5 }, () => createMember()));
  if (!paid || !waits || !part || !late || !away) throw new Error("Nobody");
  const pages = new Map<string, string>();
  for (const one of [paid, part, late, away]) pages.set(one.id, (await shop.order(one)).page);
  const pageOf = ({ id }: { id: string }) => pages.get(id) ?? "";
  await shop.act("pay", pageOf(paid));
  await shop.act("half", pageOf(part));
  await shop.advance(2 * HOUR);
  await shop.act("pay", pageOf(late));
  await shop.advance(12 * DAY - 3 * HOUR);
  pages.set(waits.id, (await shop.order(waits)).page);
  await shop.act("pay", pageOf(waits));
  expect(await db.$count(subscriptions)).toBe(0);
  expect(await readFeeds()).toEqual([{ provider: "btcpay", found: 5, failed: null }]);
  await shop.settled();
  expect(await shop.rowOf(paid)).toMatchObject({ status: "active" });
  expect(await shop.rowOf(late)).toMatchObject({ status: "active" });
  const states = await db.select().from(checkouts);
  const stateOf = (id: string) => states.find(({ userId }) => userId === id);
  expect(stateOf(part.id)).toMatchObject({ status: "expired", partPaid: 500 });
  expect(stateOf(waits.id)).toMatchObject({ status: "open", isPaymentPending: true });
  expect(stateOf(away.id)).toMatchObject({ status: "expired", partPaid: null });
  // Within the hour nothing is asked; after it, only what has happened since.
  expect(await readFeeds()).toEqual([]);
  const restUp = () =>
    db.execute(sql`UPDATE billing_events SET received_at = now() - interval '2 hours' WHERE type = 'feed'`);
  await restUp();
  expect(await readFeeds()).toEqual([{ provider: "btcpay", found: 0, failed: null }]);
  await shop.act("confirm", pageOf(waits));
  await restUp();
  expect(await readFeeds()).toEqual([{ provider: "btcpay", found: 1, failed: null }]);
  await shop.settled();
  expect(await shop.rowOf(waits)).toMatchObject({ status: "active" });
});

test("a long list is read to its end", async () => {
  shop.control.webhooks({ mode: "drop" });
  const buyer = await createMember();
  await shop.act("pay", (await shop.order(buyer)).page);
  for (let count = 0; count < 230; count += 1)
    await shop.api("/invoices", {
      amount: "1.00",
      currency: "EUR",
      metadata: { orderId: `order-${count}` },
    });
  expect(await readFeeds()).toEqual([{ provider: "btcpay", found: 1, failed: null }]);
});

test("an order whose answer is lost gets the same page again", async () => {
  const buyer = await createMember();
  shop.control.failNext({ status: 503, method: "POST", pathIncludes: INVOICES });
  await expect(shop.start(buyer)).rejects.toThrow("BTCPay Server answered with an error (503)");
  shop.control.failNext({ status: 503, method: "POST", pathIncludes: INVOICES, afterEffect: true });
  await expect(shop.start(buyer)).rejects.toThrow("(503)");
  const { page } = await shop.order(buyer);
  expect(await shop.api("/invoices")).toMatchObject([{ id: page }]);
});

test("an event that comes while BTCPay cannot be asked is processed later", async () => {
  const buyer = await createMember();
  const { link } = await shop.order(buyer);
  await shop.settled();
  shop.use({ url: "http://127.0.0.1:9" });
  await shop.pay(link);
  expect(await shop.rowOf(buyer)).toBeUndefined();
  shop.use();
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET run_at = now()`);
  await shop.settled();
  expect(await shop.rowOf(buyer)).toMatchObject({ status: "active" });
});

test("the doctor tries the key and the store, and says what to enter at BTCPay", async () => {
  const [check] = serviceChecks().filter(({ name }) => name === "payments");
  const good = await check?.run();
  expect(good).toMatchObject({ isOk: true });
  const detail = good?.isOk ? good.detail : "";
  expect(detail).toContain("/api/billing/webhook/btcpay with the secret in BTCPAY_WEBHOOK_SECRET");
  expect(detail).toContain("automatic redelivery on");
  expect(detail).toContain("InvoiceSettled");
  expect(detail).not.toContain(SETTINGS.webhookSecret);
  const faults: [Parameters<typeof shop.use>[0], string][] = [
    [{ apiKey: "wrong" }, "BTCPay Server rejects BTCPAY_API_KEY"],
    [{ storeId: "s2" }, "may not use the store BTCPAY_STORE_ID"],
    [{ url: "http://127.0.0.1:9" }, "BTCPay Server does not answer"],
    [{ url: `${shop.origin}/elsewhere` }, "does not know the store"],
  ];
  for (const [more, words] of faults) {
    shop.use(more);
    expect([more, await providerOf("btcpay")?.findFault()]).toEqual([more, expect.stringContaining(words)]);
  }
});
