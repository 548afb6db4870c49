import { desc, eq } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { reconcileAll } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";

const DAY = 86_400;
const ACCOUNT = "/user/account";
const CANCELLATION = "/user/account/subscription";
const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

async function look({ cookie }: Payer, path: string) {
  const answer = await shop.site.fetch(path, { headers: { cookie }, redirect: "manual" });
  return (await answer.text()).replaceAll(/<!-- -->|<script.*?<\/script>/gs, "");
}

async function post({ cookie }: Payer, path: string, form: Record<string, string> = {}) {
  const headers = { cookie, origin: shop.site.origin };
  const answer = await shop.site.fetch(path, { method: "POST", body: new URLSearchParams(form), headers });
  return { status: answer.status, to: answer.headers.get("location") ?? "", html: await answer.text() };
}

/** Sends the form of an offer that was open in another tab. */
async function buyAnew(payer: Payer) {
  const { consentHash, priceId } = await purchaseOf(payer, shop.monthly.id);
  return post(payer, "/subscribe", { plan: priceId, [`consent-${priceId}`]: consentHash ?? "" });
}

const rowsOf = ({ id }: Payer) => db.select().from(subscriptions).where(eq(subscriptions.userId, id));
const statusesOf = async (payer: Payer) => (await rowsOf(payer)).map(({ status }) => status).sort();
const soldTo = async ({ customerId }: Payer) =>
  (await stripe.subscriptions.list({ customer: customerId, status: "all" })).data.length;

describe("a subscription without a completed first payment", () => {
  async function unfinished() {
    const payer = await shop.createPayer();
    await stripe.subscriptions.create({
      customer: payer.customerId,
      items: [{ price: shop.monthly.id }],
      payment_behavior: "default_incomplete",
    });
    await shop.settled();
    expect(await statusesOf(payer)).toEqual(["incomplete"]);
    return payer;
  }

  test("is paid on the page of its invoice, and no second one is sold beside it", async () => {
    const payer = await unfinished();
    const offer = await look(payer, "/subscribe");
    expect(offer).toContain("Complete the payment");
    expect(offer).not.toContain('name="plan"');
    expect(await buyAnew(payer)).toMatchObject({ status: 303, to: `${ACCOUNT}#subscription` });
    const [invoice] = (await stripe.invoices.list({ customer: payer.customerId })).data;
    const { status, to } = await post(payer, "/subscribe/portal");
    expect([status, to]).toEqual([303, invoice?.hosted_invoice_url]);
    await submit(to, { card: "4242" });
    await shop.settled();
    expect(await statusesOf(payer)).toEqual(["active"]);
    expect(await soldTo(payer)).toBe(1);
  }, 60_000);

  test("expires after a day even without an event: then nothing is due, and another may be bought", async () => {
    const payer = await unfinished();
    control.webhooks({ mode: "drop" });
    await control.advance(DAY);
    control.webhooks({});
    expect(await post(payer, "/subscribe/portal")).toMatchObject({
      status: 303,
      to: `${ACCOUNT}#subscription`,
    });
    expect(await statusesOf(payer)).toEqual(["incomplete_expired"]);
    const { status, to } = await buyAnew(payer);
    expect([status, to]).toEqual([303, expect.stringContaining("/c/")]);
  }, 60_000);

  test("can be bought again at once when the page was open for longer than a day", async () => {
    const payer = await unfinished();
    control.webhooks({ mode: "drop" });
    await control.advance(DAY);
    control.webhooks({});
    const { status, to } = await buyAnew(payer);
    expect([status, to]).toEqual([303, expect.stringContaining("/c/")]);
    await submit(to, { card: "4242" });
    await shop.settled();
    expect(await statusesOf(payer)).toEqual(["active", "incomplete_expired"]);
  }, 60_000);
});

describe("a paused subscription", () => {
  async function paused({ hasCard = true } = {}) {
    const payer = await shop.createPayer();
    const made = await stripe.subscriptions.create({
      customer: payer.customerId,
      items: [{ price: shop.monthly.id }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: "pause" } },
    });
    await control.advance(8 * DAY);
    if (hasCard) await stripe.paymentMethods.attach("pm_card_visa", { customer: payer.customerId });
    const [card] = (await stripe.paymentMethods.list({ customer: payer.customerId })).data;
    if (card) {
      await stripe.customers.update(payer.customerId, {
        invoice_settings: { default_payment_method: card.id },
      });
    }
    await shop.settled();
    expect(await statusesOf(payer)).toEqual(["paused"]);
    return { payer, id: made.id };
  }

  test("is resumed in the account for the price shown there, charged once however often it is clicked", async () => {
    const { payer, id } = await paused();
    expect(await look(payer, "/subscribe")).not.toContain('name="plan"');
    expect(await buyAnew(payer)).toMatchObject({ status: 303, to: `${ACCOUNT}#subscription` });
    const html = await look(payer, ACCOUNT);
    expect(html).toContain("Resume and pay");
    expect(html).toContain("You pay $14.99 a month, before discounts and tax, at once");
    control.failNext({ status: 500, times: 3, pathIncludes: "/resume" });
    const unreachable = await post(payer, CANCELLATION, { intent: "resume" });
    expect([unreachable.status, unreachable.html]).toEqual([503, expect.stringContaining("still paused")]);
    const pressed = await Promise.all([1, 2, 3].map(() => post(payer, CANCELLATION, { intent: "resume" })));
    expect(pressed.map(({ status }) => status)).toContain(303);
    await post(payer, CANCELLATION, { intent: "resume" });
    await shop.settled();
    expect(await statusesOf(payer)).toEqual(["active"]);
    const { data } = await stripe.invoices.list({ subscription: id });
    expect(data.filter(({ total }) => total > 0).map(({ status }) => status)).toEqual(["paid"]);
    expect(await look(payer, ACCOUNT)).toContain("and then renews");
  }, 60_000);

  test("is paid on the page of its invoice when it has no card yet", async () => {
    const { payer } = await paused({ hasCard: false });
    const { status, to } = await post(payer, CANCELLATION, { intent: "resume" });
    expect([status, to]).toEqual([303, expect.stringContaining("/i/in_")]);
    await submit(to, { card: "4242" });
    await shop.settled();
    expect(await statusesOf(payer)).toEqual(["active"]);
  }, 60_000);
});

test("a second subscription charged by mistake at the provider is shown in the account, reported to the host, and can be canceled", async () => {
  const [payer, other] = [await shop.createPayer(), await shop.createPayer()];
  const [first, second] = [await shop.buy(payer), await shop.buy(payer, { price: shop.yearly.id })];
  await shop.settled();
  expect(await statusesOf(payer)).toEqual(["active", "active"]);
  const html = await look(payer, ACCOUNT);
  expect(html).toContain("You are also charged for another subscription: Membership, $14.99 a month.");
  const cancel = `${CANCELLATION}?subscription=${first}`;
  expect(html).toContain(`href="${cancel}"`);
  const events = await db
    .select()
    .from(billingEvents)
    .where(eq(billingEvents.customerId, payer.customerId))
    .orderBy(desc(billingEvents.receivedAt));
  expect(events.map(({ outcome }) => outcome)).toContain("duplicate");
  const duplicate = { kind: "customer", id: payer.customerId, what: "duplicate" };
  const changedPeople = async () => (await reconcileAll({ isDryRun: true }))?.people ?? [];
  expect(await changedPeople()).toContainEqual({ userId: payer.id, differences: [duplicate] });

  // Another member sees nothing of the subscription and cannot cancel it.
  expect(await look(other, cancel)).not.toContain("Cancel my subscription");
  await post(other, cancel, { intent: "cancel" });
  expect((await stripe.subscriptions.retrieve(first)).cancel_at_period_end).toBe(false);

  expect(await look(payer, cancel)).toContain(`action="${cancel}"`);
  await post(payer, cancel, { intent: "cancel" });
  expect((await stripe.subscriptions.retrieve(first)).cancel_at_period_end).toBe(true);
  expect((await stripe.subscriptions.retrieve(second)).cancel_at_period_end).toBe(false);
  expect(await look(payer, ACCOUNT)).not.toContain("You are also charged for another");
  expect((await changedPeople()).flatMap(({ differences }) => differences)).not.toContainEqual(duplicate);
}, 60_000);
