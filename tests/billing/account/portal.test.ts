import { desc, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/customers.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";
import { subscribe } from "#tests/support/people.ts";

const DAY = 86_400;
const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

const rowOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id))).at(0);

test("a cancellation on the provider's own page counts here, is emailed, and can be taken back here", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  const portal = await stripe.billingPortal.sessions.create({ customer: payer.customerId });
  await submit(portal.url, { intent: "cancel", subscription: id });
  await shop.settled();
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: false });
  expect(await rowOf(id)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  const mails = db.select().from(mailOutbox).where(eq(mailOutbox.to, payer.email));
  expect((await mails.orderBy(desc(mailOutbox.createdAt))).at(0)?.subject).toContain("cancellation");

  const kept = await shop.site.fetch("/user/account/subscription", {
    method: "POST",
    body: new URLSearchParams({ intent: "keep" }),
    headers: { cookie: payer.cookie, origin: shop.site.origin },
  });
  expect(kept.status).toBe(303);
  expect((await stripe.subscriptions.retrieve(id)).cancel_at).toBeNull();
  expect(await rowOf(id)).toMatchObject({ status: "active", cancelAtPeriodEnd: false });
}, 60_000);

test("the provider's page is offered only to its own customers", async () => {
  const pages = ({ cookie }: Payer) =>
    Promise.all(
      ["/subscribe", "/user/account"].map(async (path) =>
        (await shop.site.fetch(path, { headers: { cookie } })).text(),
      ),
    );
  const [payer, given] = [await shop.createPayer(), await shop.createPayer()];
  await shop.buy(payer);
  await subscribe(given.id);
  await shop.settled();
  for (const page of await pages(payer)) expect(page).toContain("Change plan or card");
  for (const page of await pages(given)) expect(page).not.toContain("Change plan or card");
  await db.delete(customers).where(eq(customers.userId, payer.id));
  for (const page of await pages(payer)) expect(page).not.toContain("Change plan or card");
}, 60_000);

test("a plan changed on the provider's own page changes the price here, and an email says which, from when and how to cancel", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  const opened = await shop.site.fetch("/subscribe/portal", {
    method: "POST",
    headers: { cookie: payer.cookie, origin: shop.site.origin },
  });
  const portal = opened.headers.get("location");
  expect(await (await fetch(portal ?? "")).text()).toContain("$119.00 every year");
  const mailsOf = async () =>
    (await db.select().from(mailOutbox).where(eq(mailOutbox.to, payer.email))).filter(
      ({ kind }) => kind === "billing-plan-changed",
    );

  const today = () =>
    new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date());
  const begunOn = today();
  const made = { subscription: id, intent: "plan" };
  expect((await submit(portal, { ...made, price: "price_of_another" })).status).toBe(402);
  await submit(portal, { ...made, price: shop.yearly.id });
  await shop.settled();
  const [mail, ...others] = await mailsOf();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("Peony: The price of your subscription has changed");
  for (const words of [
    /^Before: Membership, \$14\.99 a month$/m,
    /^Now: Membership, \$119\.00 a year$/m,
    new RegExp(`^Since: (?:${begunOn}|${today()})$`, "m"),
    /^Next charge: \$119\.00 on \d+ \w+ \d{4}$/m,
    /\/cancel\?subscription=/,
  ]) {
    expect(mail?.text).toMatch(words);
  }
  const account = await shop.site.fetch("/user/account", { headers: { cookie: payer.cookie } });
  expect((await account.text()).replaceAll("<!-- -->", "")).toContain("Membership, $119.00 a year");

  // A repeated event is no further change; switching back is one.
  await stripe.subscriptions.update(id, { description: "twice" });
  await shop.settled();
  expect(await mailsOf()).toHaveLength(1);
  await submit(portal, { ...made, price: shop.monthly.id });
  await shop.settled();
  expect(await mailsOf()).toHaveLength(2);
}, 60_000);

/** Three days after a purchase, its plan is changed to one of $29.99 without a bill. */
async function buyAndChange(card?: string) {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer, { ...(card ? { card } : {}) });
  const { id: dearer } = await stripe.prices.create({
    product: shop.product.id,
    currency: "usd",
    unit_amount: 2999,
    recurring: { interval: "month" },
  });
  await control.advance(3 * DAY);
  const portal = await stripe.billingPortal.sessions.create({ customer: payer.customerId });
  await submit(portal.url, { subscription: id, intent: "plan", price: dearer });
  await shop.settled();
  return { payer, id };
}

test("a change of plan that waits for the next invoice is charged at a canceled end, and page and emails say so", async () => {
  const { payer, id } = await buyAndChange();
  const headers = { cookie: payer.cookie, origin: shop.site.origin };
  const look = async (path: string) =>
    (await (await shop.site.fetch(path, { headers })).text()).replaceAll(/<!-- -->|\n\s*/g, "");
  const newestMail = async () => {
    const mails = db.select().from(mailOutbox).where(eq(mailOutbox.to, payer.email));
    return (await mails.orderBy(desc(mailOutbox.createdAt), desc(mailOutbox.kind))).at(0);
  };
  const path = "/user/account/subscription";
  expect(await look(path)).toContain("The subscription then ends and does not renew.");
  await shop.site.fetch(path, { method: "POST", body: new URLSearchParams({ intent: "cancel" }), headers });
  await shop.settled();

  const due =
    /Its last charge is \$1\d\.\d\d on \d+ \w+ \d{4}, for charges not billed yet\. A receipt confirms the payment\./;
  const canceled = await newestMail();
  expect(canceled?.kind).toBe("billing-canceled");
  expect(canceled?.text).toMatch(due);
  expect(canceled?.text).not.toContain("not be charged again");
  const [sum = ""] = /\$1\d\.\d\d/.exec(canceled?.text ?? "") ?? [];
  expect(await look(path)).toMatch(due);
  expect(await look(path)).not.toContain("not be charged again");
  expect(await look("/user/account")).toMatch(
    new RegExp(`<dd>\\${sum} on [^<]+, for charges not billed yet</dd>`),
  );

  await control.advance(32 * DAY);
  await shop.settled();
  expect(await rowOf(id)).toMatchObject({ status: "canceled", nextAmount: null });
  const [last] = (await stripe.charges.list({ customer: payer.customerId })).data;
  expect(`$${((last?.amount ?? 0) / 100).toFixed(2)}`).toBe(sum);
  const mails = await db.select().from(mailOutbox).where(eq(mailOutbox.to, payer.email));
  expect(mails.find(({ kind }) => kind === "billing-ended")?.text).toMatch(due);
  expect(mails.some(({ text }) => text.includes(`Amount: ${sum}`))).toBe(true);
}, 60_000);

test("a last charge that is not paid is due in the account of the ended subscription, and emailed once no bank is sending it", async () => {
  const [byCard, byBank] = [await buyAndChange(), await buyAndChange("bank")];
  await stripe.subscriptions.update(byCard.id, { cancel_at_period_end: true });
  control.failNextPayment(byCard.id);
  const chargeOf = async ({ payer: { cookie } }: typeof byCard) => {
    const page = await shop.site.fetch("/user/account", { headers: { cookie } });
    return /Next charge<\/dt><dd>([^<]*)/.exec((await page.text()).replaceAll("<!-- -->", ""))?.[1];
  };
  const failures = async ({ payer: { email } }: typeof byCard) =>
    (await db.select().from(mailOutbox).where(eq(mailOutbox.to, email))).filter(
      ({ kind }) => kind === "billing-payment-failed",
    ).length;
  const endOf = async ({ id }: typeof byCard) =>
    (await stripe.subscriptions.retrieve(id)).items.data[0]?.current_period_end ?? 0;
  const advanceTo = async (at: number) => {
    await control.advance(at + 60 - control.now());
    await shop.settled();
  };

  await advanceTo(await endOf(byCard));
  expect(await rowOf(byCard.id)).toMatchObject({ status: "canceled", isPaymentPending: false });
  expect(await chargeOf(byCard)).toMatch(/^\$1\d\.\d\d, due now$/);
  expect(await failures(byCard)).toBe(1);

  // Its first transfer has taken three days, and the last one has only been ordered.
  await stripe.subscriptions.update(byBank.id, { cancel_at_period_end: true });
  await advanceTo(await endOf(byBank));
  expect(await rowOf(byBank.id)).toMatchObject({ status: "canceled", isPaymentPending: true });
  expect(await chargeOf(byBank)).toMatch(/^\$1\d\.\d\d, on its way from your bank$/);
  expect(await failures(byBank)).toBe(0);
  control.completeTransfer(byBank.id, "failed");
  await shop.settled();
  expect(await chargeOf(byBank)).toMatch(/^\$1\d\.\d\d, due now$/);
  expect(await failures(byBank)).toBe(1);
}, 60_000);

test("refunding a payment of a former plan leaves the plan that was paid later", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await control.advance(3 * DAY);
  const [first] = (await stripe.charges.list({ customer: payer.customerId })).data;
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
  await stripe.subscriptions.update(id, { items: [{ id: item?.id, price: shop.yearly.id }] });
  await shop.settled();
  expect(await rowOf(id)).toMatchObject({ status: "active", priceId: shop.yearly.id });
  control.refund(first?.id ?? "");
  await shop.settled();
  expect(await rowOf(id)).toMatchObject({ status: "active", priceId: shop.yearly.id });
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
}, 60_000);

test("refunding the cost of a change within the period leaves the plan: the period was paid before", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await control.advance(3 * DAY);
  const [period] = (await stripe.charges.list({ customer: payer.customerId })).data;
  const { id: dearer } = await stripe.prices.create({
    product: shop.product.id,
    currency: "usd",
    unit_amount: 2999,
    recurring: { interval: "month" },
  });
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
  const items = [{ id: item?.id, price: dearer }];
  await stripe.subscriptions.update(id, { items, proration_behavior: "always_invoice" });
  await shop.settled();
  const [change] = (await stripe.charges.list({ customer: payer.customerId })).data;
  expect(change?.amount).toBeLessThan(1499);
  control.refund(change?.id ?? "");
  await shop.settled();
  expect(await rowOf(id)).toMatchObject({ status: "active", priceId: dearer });
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  // Refunding the payment of the period itself ends the subscription.
  control.refund(period?.id ?? "");
  await shop.settled();
  expect(await rowOf(id)).toMatchObject({ status: "canceled", priceId: dearer });
}, 60_000);
