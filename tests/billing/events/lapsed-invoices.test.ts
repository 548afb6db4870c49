import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { sellingProvider } from "#app/domain/billing/providers/providers.server.ts";
import { stripeSubscriptionApi } from "#app/domain/billing/providers/stripe/subscription-api.server.ts";
import { listRefundable } from "#app/domain/billing/subscriptions/refundable-invoices.server.ts";
import { listLapsed } from "#app/domain/billing/sync/enforce-rules.server.ts";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { beginSnapshot } from "#app/domain/billing/sync/snapshot.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";

const DAY = 86_400;
const NO_ACCESS = "so the payment does not give you access. Write to contact@example.com to get it back.";
const PAID_TOO_LATE = "Paid after its subscription had ended, so it gave you no access";

const shop = await startPaidSite();
const { control, standIn, stripe } = shop;
afterAll(() => shop.stop());
beforeEach(() => control.webhooks({}));

/** A member whose renewal has failed, and the invoice that the email about it asks to pay. */
async function buyOverdue(failures = 1): Promise<{ payer: Payer; id: string; invoice: string }> {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  control.failNextPayment(id, failures);
  const { items } = await stripe.subscriptions.retrieve(id);
  await control.advance((items.data[0]?.current_period_end ?? 0) - control.now() + 3_600);
  await shop.settled();
  const { latest_invoice } = await stripe.subscriptions.retrieve(id);
  const [mail] = (await mailsTo(payer)).filter(({ subject }) => subject.includes("did not go through"));
  expect(mail?.text).toContain(`${standIn.origin}/i/${latest_invoice}`);
  return { payer, id, invoice: String(latest_invoice) };
}

const mailsTo = ({ email }: Payer) =>
  db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(mailOutbox.createdAt);
const post = ({ cookie }: Payer, path: string, fields: Record<string, string>) =>
  shop.site.fetch(path, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: shop.site.origin },
    body: new URLSearchParams(fields),
  });
const accountOf = async ({ cookie }: Payer) =>
  (await shop.site.fetch(paths.account(), { headers: { cookie } })).text();
const pay = (invoice: string) => submit(`${standIn.origin}/i/${invoice}`, { card: "4242" });
const stateOf = async (invoice: string) => (await stripe.invoices.retrieve(invoice)).status;
const storedState = async (invoice: string) =>
  (await db.select().from(invoices).where(eq(invoices.id, invoice)))[0]?.status;

test("the invoice of a purchase that was canceled before its payment cannot be paid any more either", async () => {
  const payer = await shop.createPayer();
  const { id, latest_invoice } = await stripe.subscriptions.create({
    customer: payer.customerId,
    items: [{ price: shop.monthly.id }],
    payment_behavior: "default_incomplete",
  });
  await shop.settled();
  expect(await stateOf(String(latest_invoice))).toBe("open");
  // Perhaps in the same second.
  await stripe.subscriptions.cancel(id);
  await shop.settled();
  expect(await stateOf(String(latest_invoice))).toBe("void");
}, 60_000);

/** The renewal and the three attempts after it. */
const ALL_ATTEMPTS = 4;

test.each<[string, (overdue: { payer: Payer; id: string }) => Promise<unknown>, number?]>([
  ["the last attempt has failed", () => control.advance(20 * DAY), ALL_ATTEMPTS],
  [
    "its owner cancels it",
    ({ payer }) => post(payer, paths.accountAction("subscription"), { intent: "cancel" }),
  ],
  ["it ends in the dashboard", ({ id }) => stripe.subscriptions.cancel(id)],
  [
    "the account is to be deleted",
    ({ payer }) => post(payer, "/user/account", { intent: "delete", confirm: "yes" }),
  ],
  [
    "no event about its end arrives",
    async ({ payer, id }) => {
      control.webhooks({ mode: "drop" });
      await stripe.subscriptions.cancel(id);
      expect(await refreshCustomer(payer.id, { isDryRun: true })).toContainEqual(
        expect.objectContaining({ kind: "invoice", what: "due" }),
      );
      await refreshCustomer(payer.id);
    },
  ],
])(
  "an unpaid renewal cannot be paid any more once the subscription is over: %s",
  async (_, end, failures) => {
    const overdue = await buyOverdue(failures);
    await end(overdue);
    await shop.settled();
    expect((await stripe.subscriptions.retrieve(overdue.id)).status).toBe("canceled");
    expect([await stateOf(overdue.invoice), await storedState(overdue.invoice)]).toEqual(["void", "void"]);
    await pay(overdue.invoice);
    expect(await stateOf(overdue.invoice)).toBe("void");
  },
  60_000,
);

test.each<[string, (overdue: { payer: Payer; id: string }) => Promise<unknown>, number?]>([
  ["ended in the dashboard", ({ id }) => stripe.subscriptions.cancel(id)],
  [
    "canceled by its owner, ended on its day",
    async ({ id }) => {
      control.afterRetries("unpaid");
      await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      await control.advance(32 * DAY);
      control.afterRetries("canceled");
    },
    ALL_ATTEMPTS,
  ],
])(
  "a payment after the end is shown to its payer and to the host until it is refunded: %s",
  async (_, end, failures) => {
    const { payer, id, invoice } = await buyOverdue(failures);
    control.webhooks({ mode: "drop" });
    await end({ payer, id });
    await pay(invoice);
    expect(await stateOf(invoice)).toBe("paid");
    const refundable = { kind: "invoice", id: invoice, what: "refundable" };
    for (const _time of ["first", "second"]) {
      expect(await refreshCustomer(payer.id)).toContainEqual(refundable);
      expect(await listRefundable(db)).toContain(invoice);
    }
    expect((await mailsTo(payer)).filter(({ text }) => text.includes(NO_ACCESS))).toHaveLength(1);
    expect(await accountOf(payer)).toContain(PAID_TOO_LATE);
    control.webhooks({});
    control.emit("invoice.paid", invoice);
    await shop.settled();
    const events = await db.select().from(billingEvents).where(eq(billingEvents.subjectId, invoice));
    expect(events.map(({ outcome }) => outcome)).toContain("refundable");

    const charges = (await stripe.charges.list({ customer: payer.customerId })).data;
    await stripe.refunds.create({ charge: charges.find(({ paid }) => paid)?.id });
    await shop.settled();
    expect(await listRefundable(db)).not.toContain(invoice);
    expect(await refreshCustomer(payer.id)).not.toContainEqual(refundable);
    expect(await accountOf(payer)).toContain("Paid, then refunded in full");
  },
  60_000,
);

test.each([
  ["used until its planned end", true],
  ["ended at once", false],
])(
  "money that a bank is sending at the end is not stopped: %s",
  async (_, isPlanned) => {
    const daily = await stripe.prices.create({
      product: shop.product.id,
      currency: "usd",
      unit_amount: 99,
      recurring: { interval: "day", interval_count: 5 },
    });
    const payer = await shop.createPayer();
    const id = await shop.buy(payer, { price: daily.id, card: "bank" });
    control.completeTransfer(id, "paid");
    await control.advance(5 * DAY);
    await shop.settled();
    const invoice = String((await stripe.subscriptions.retrieve(id)).latest_invoice);
    if (isPlanned) {
      // A bank may take longer than the period.
      await stripe.subscriptions.update(id, { cancel_at: control.now() + DAY });
      await control.advance(DAY + 3_600);
    } else {
      await control.advance(DAY);
      await stripe.subscriptions.cancel(id);
    }
    await shop.settled();
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
    expect(await stateOf(invoice)).toBe("open");
    control.completeTransfer(id, "paid");
    await shop.settled();
    expect(await stateOf(invoice)).toBe("paid");
    expect((await mailsTo(payer)).at(-1)?.subject).toBe("Peony: Receipt");
    const isSaid = [
      (await mailsTo(payer)).at(-1)?.text.includes(NO_ACCESS),
      (await accountOf(payer)).includes(PAID_TOO_LATE),
    ];
    expect(isSaid).toEqual([!isPlanned, !isPlanned]);
  },
  60_000,
);

test("an invoice that the host sent, or made after the end, stays the host's own claim", async () => {
  const { payer, id, invoice } = await buyOverdue();
  control.webhooks({ mode: "drop" });
  await stripe.subscriptions.cancel(id);
  const fetched = await beginSnapshot("stripe");
  const [subscription, bill] = await Promise.all([
    sellingProvider()?.readSubscription(id),
    sellingProvider()?.readInvoice(invoice),
  ]);
  if (!subscription?.endedAt || !bill) throw new Error("It is gone");
  const given = (more: object, of: object = {}) =>
    listLapsed({
      ...fetched,
      subscriptions: [{ ...subscription, ...of }],
      invoices: [{ ...bill, ...more }],
    });
  expect(await given({})).toEqual([invoice]);
  expect(await given({ createdAt: subscription.endedAt })).toEqual([]);
  expect(await given({}, { isInvoiced: true })).toEqual([]);
  expect(await given({}, { isOtherSite: true })).toEqual([]);
  expect(await given({ status: "uncollectible" })).toEqual([]);
  expect(await given({ subscriptionId: "sub_never_sold" }, { id: "sub_never_sold" })).toEqual([]);
  expect(await stateOf(invoice)).toBe("open");
  await refreshCustomer(payer.id);
  expect(await stateOf(invoice)).toBe("void");
}, 60_000);

test("an unpaid change of plan is not voided when its subscription ends", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  const { items } = await stripe.subscriptions.retrieve(id);
  control.failNextPayment(id, 1);
  await stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id, price: shop.yearly.id }] });
  await shop.settled();
  const invoice = String((await stripe.subscriptions.retrieve(id)).latest_invoice);
  expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
    status: "open",
    billing_reason: "subscription_update",
  });
  await stripe.subscriptions.cancel(id);
  await shop.settled();
  await refreshCustomer(payer.id);
  expect(await stateOf(invoice)).toBe("open");
}, 60_000);

test("the invoice itself decides, not its subscription, because a host can add other invoices to that", async () => {
  const { invoice } = await buyOverdue();
  const voided = async (own: object) => {
    const retrieve = async (id: string) => ({ ...(await stripe.invoices.retrieve(id)), ...own });
    const api = Object.assign(Object.create(stripe.invoices), { retrieve });
    await stripeSubscriptionApi(Object.assign(Object.create(stripe), { invoices: api })).voidInvoice(invoice);
    return (await stateOf(invoice)) === "void";
  };
  const reasons = ["manual", "subscription_update", "subscription_threshold", "subscription", null];
  for (const billing_reason of reasons)
    expect(await voided({ billing_reason }), String(billing_reason)).toBe(false);
  // Sent before its subscription was moved to automatic collection.
  expect(await voided({ collection_method: "send_invoice" })).toBe(false);
  expect(await voided({})).toBe(true);
}, 60_000);
