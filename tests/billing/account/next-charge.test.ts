import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { desc, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { sendDueMails } from "#app/domain/billing/mails/reminder-mails.server.ts";
import { findNextAmount } from "#app/domain/billing/providers/stripe/next-payment.server.ts";
import { createStripe } from "#app/domain/billing/providers/stripe/stripe-client.server.ts";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";

const DAY = 86_400;
const DATE = "\\d+ \\w+ \\d{4}";
const shop = await startPaidSite({ env: { BILLING_TAX: "on" } });
const { control, stripe } = shop;
const coupon = await stripe.coupons.create({ percent_off: 20, duration: "once" });
afterAll(() => shop.stop());

async function look({ cookie }: Payer, path = "/user/account") {
  const answer = await shop.site.fetch(path, { headers: { cookie } });
  return (await answer.text()).replaceAll(/<!-- -->|<script.*?<\/script>/gs, "");
}

const rowOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id))).at(0);
const nextAmountOf = async (id: string) => (await rowOf(id))?.nextAmount;
const newestMail = async ({ email }: Payer) =>
  (await db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(desc(mailOutbox.createdAt))).at(
    0,
  )?.text ?? "";

test("a promotion code lowers the amount in the account and the reminder while it is valid", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer, { trialDays: 20 });
  await shop.settled();
  expect(await look(payer)).toMatch(new RegExp(`<dd>\\$14\\.99 on ${DATE}</dd>`));
  await stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] });
  await shop.settled();
  expect(await look(payer)).toMatch(
    new RegExp(`<dd>\\$11\\.99 on ${DATE}, including discounts, credit and tax</dd>`),
  );
  await sendDueMails(new Date(Date.now() + 14 * DAY * 1000));
  expect(await newestMail(payer)).toMatch(new RegExp(`^First charge: \\$11\\.99 on ${DATE}`, "m"));

  await control.advance(21 * DAY);
  await shop.settled();
  const [charge] = (await stripe.charges.list({ customer: payer.customerId })).data;
  expect(charge?.amount).toBe(1199);
  expect(await nextAmountOf(id)).toBe(1499);
  expect(await look(payer)).toMatch(new RegExp(`<dd>\\$14\\.99 on ${DATE}</dd>`));
}, 60_000);

test("without an amount from the provider the account names the amount before discounts and tax, and says so", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer, { price: shop.yearly.id });
  await shop.settled();
  expect(await nextAmountOf(id)).toBe(11_900);
  control.failNext({ status: 500, times: 1, pathIncludes: "/v1/invoices/create_preview" });
  await refreshCustomer(payer.id);
  expect(await nextAmountOf(id)).toBeNull();
  expect(await look(payer)).toMatch(new RegExp(`<dd>\\$119\\.00 on ${DATE}, before discounts and tax</dd>`));
  const end = (await rowOf(id))?.currentPeriodEnd ?? new Date();
  await sendDueMails(new Date(end.getTime() - 10 * DAY * 1000));
  expect(await newestMail(payer)).toMatch(
    new RegExp(`^Next charge: \\$119\\.00 on ${DATE}, before discounts and tax`, "m"),
  );
  await refreshCustomer(payer.id);
  expect(await nextAmountOf(id)).toBe(11_900);
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await shop.settled();
  expect(await nextAmountOf(id)).toBe(0);
  expect(await look(payer)).toContain("<dd>None</dd>");
}, 60_000);

test("credit pays a part of the amount due: account, invoices and email ask only for the rest", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await stripe.customers.update(payer.customerId, { balance: -500 });
  await shop.settled();
  expect(await look(payer)).toMatch(
    new RegExp(`<dd>\\$9\\.99 on ${DATE}, including discounts, credit and tax</dd>`),
  );
  control.failNextPayment(id);
  await control.advance(32 * DAY);
  await shop.settled();
  expect((await rowOf(id))?.status).toBe("past_due");
  const page = await look(payer);
  expect(page).toContain("<dd>$9.99, due now</dd>");
  expect(page).toMatch(/<strong>\$14\.99<\/strong> on .*?Not paid yet, \$9\.99 still due/s);
  expect(await newestMail(payer)).toContain("A payment of $9.99 for your subscription did not go through.");
}, 60_000);

test("an invoice that the host cancels or writes off is shown as such without a link to pay it, and one that was issued is listed", async () => {
  const [voided, writtenOff] = [await shop.createPayer(), await shop.createPayer()];
  for (const payer of [voided, writtenOff]) control.failNextPayment(await shop.buy(payer));
  await control.advance(32 * DAY);
  await shop.settled();
  const openOf = async ({ customerId }: Payer) =>
    (await stripe.invoices.list({ customer: customerId, status: "open" })).data[0]?.id ?? "";
  for (const payer of [voided, writtenOff]) expect(await look(payer)).toContain("Not paid yet");
  await stripe.invoices.voidInvoice(await openOf(voided));
  await stripe.invoices.markUncollectible(await openOf(writtenOff));
  await shop.settled();
  expect(await look(voided)).toContain("Canceled. Nothing is due");
  expect(await look(writtenOff)).toContain("Not paid and written off. Nothing is due");
  for (const payer of [voided, writtenOff])
    expect(await look(payer)).not.toMatch(/Not paid yet|>Pay <|due now/);

  const byBank = await shop.createPayer();
  await shop.buy(byBank, { card: "bank" });
  await shop.settled();
  expect(await look(byBank)).toContain("Pending: your bank is sending the money");
}, 60_000);

test("the offer says that its amounts are before promotion codes and tax", async () => {
  const html = await look(await shop.createPayer(), "/subscribe");
  expect(html).toContain("tax is calculated there. The amounts above include neither");
  // A change of plan may still have to be paid.
  expect(html).not.toContain("charged again");
});

test("the next charge is fetched once and with a short timeout, and nothing is said in another currency", async () => {
  const answers: { path: string; preview: object | null }[] = [];
  let next: { status: number; amount_due: number; currency: string; code?: string } | null = null;
  const server = createServer((request, response) => {
    answers.push({ path: request.url ?? "", preview: next });
    if (next === null) return;
    const { status, code, ...invoice } = next;
    response.writeHead(status, { "content-type": "application/json" });
    const error = { type: "invalid_request_error", message: "It failed.", code };
    response.end(JSON.stringify(status === 200 ? { object: "invoice", total: 1499, ...invoice } : { error }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createStripe({ secretKey: "sk_test_asked", apiUrl });
  const subscription = await stripe.subscriptions.retrieve(await shop.buy(await shop.createPayer()));
  const ask = () => findNextAmount(client, subscription);

  next = { status: 200, amount_due: 300, currency: "usd" };
  const requestedAt = performance.now();
  expect(await ask()).toBe(300);
  const usual = performance.now() - requestedAt;
  next = { status: 200, amount_due: 300, currency: "eur" };
  expect(await ask()).toBeNull();
  expect(await findNextAmount(client, { ...subscription, currency: "eur" })).toBeNull();
  next = { status: 500, amount_due: 300, currency: "usd" };
  expect(await ask()).toBeNull();
  // "No upcoming invoices": only one that ends is known to cost nothing more.
  next = { ...next, status: 404, code: "invoice_upcoming_none" };
  expect(await ask()).toBeNull();
  expect(await findNextAmount(client, { ...subscription, cancel_at_period_end: true })).toBe(0);
  next = null;
  const begun = performance.now();
  expect(await ask()).toBeNull();
  expect(performance.now() - begun).toBeLessThan(6_000 + 3 * usual);
  expect(answers.map(({ path }) => path)).toEqual(Array(7).fill("/v1/invoices/create_preview"));
  server.closeAllConnections();
  server.close();
}, 60_000);
