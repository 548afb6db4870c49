import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";

const DAY = 86_400;

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

/** A buyer who has chosen a bank transfer on the provider's page. */
async function orderByBank() {
  const payer = await shop.createPayer();
  const start = await startCheckout(await purchaseOf(payer, shop.monthly.id));
  if (start.kind !== "page") throw new Error("There is no page");
  expect(await (await fetch(start.url)).text()).toContain("Bank debit");
  const ordered = await submit(start.url, { card: "bank" });
  expect(ordered.headers.get("location")).toContain("/subscribe/return");
  const [session] = (await stripe.checkout.sessions.list({ customer: payer.customerId })).data;
  const [row] = await db.select().from(checkouts).where(eq(checkouts.userId, payer.id));
  const subscriptionId = String(session?.subscription);
  return { payer, sessionId: session?.id ?? "", subscriptionId, checkoutId: row?.id ?? "" };
}

const statusOf = async ({ id }: Payer) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.userId, id))).map(({ status }) => status);
const mailsTo = ({ email }: Payer) =>
  db
    .select({ kind: mailOutbox.kind, subject: mailOutbox.subject, text: mailOutbox.text })
    .from(mailOutbox)
    .where(eq(mailOutbox.to, email))
    .orderBy(mailOutbox.createdAt);
const leave = ({ cookie }: Payer) =>
  shop.site.fetch(paths.accountAction("subscription"), {
    method: "POST",
    body: new URLSearchParams({ intent: "cancel" }),
    headers: { cookie, origin: shop.site.origin },
    redirect: "manual",
  });
const kindsOfMails = async ({ email }: Payer) =>
  (await db.select().from(mailOutbox).where(eq(mailOutbox.to, email))).map(({ kind }) => kind);

const pageOf = async ({ cookie }: Payer, path: string) =>
  (await shop.site.fetch(path, { headers: { cookie } })).text();

/** The redirect target of the button that completes a payment, pressed on a page opened earlier. */
async function openPayments({ cookie }: Payer): Promise<string | null> {
  const headers = { cookie, origin: shop.site.origin };
  const answer = await shop.site.fetch(paths.portal(), { method: "POST", headers, redirect: "manual" });
  return answer.headers.get("location");
}

async function returnPage({ cookie }: Payer, checkoutId: string) {
  const answer = await shop.site.fetch(paths.subscribeReturn(checkoutId), { headers: { cookie } });
  return { text: await answer.text(), refresh: answer.headers.get("refresh") };
}

test("a bank transfer takes days: there is no access meanwhile, the page says so, and access begins when it arrives", async () => {
  const { payer, sessionId, checkoutId } = await orderByBank();
  await shop.settled();
  expect(await stripe.checkout.sessions.retrieve(sessionId)).toMatchObject({
    status: "complete",
    payment_status: "unpaid",
  });
  expect(await statusOf(payer)).toEqual(["incomplete"]);
  const meanwhile = await returnPage(payer, checkoutId);
  expect(meanwhile.text).toContain("Your bank is sending the money");
  expect(meanwhile.text).not.toContain("<h1>Welcome</h1>");
  // Transfers take days, so the page does not reload itself.
  expect(meanwhile.refresh).toBeNull();
  await control.advance(2 * DAY);
  await shop.settled();
  expect(await statusOf(payer)).toEqual(["incomplete"]);
  expect(await kindsOfMails(payer)).toEqual([]);
  // No page asks for the money a second time.
  const [account, offer, cancellation] = [
    await pageOf(payer, paths.account()),
    await pageOf(payer, paths.subscribe()),
    await pageOf(payer, paths.accountAction("subscription")),
  ];
  for (const page of [account, offer]) {
    expect(page).toContain("our bank is sending the money");
    for (const asks of ["Complete the payment", "due now", paths.portal(), ">Pay "]) {
      expect(page).not.toContain(asks);
    }
  }
  expect(account).toContain("$14.99, on its way from your bank");
  expect(account).toContain("Pending: your bank is sending the money");
  expect(cancellation).toContain("We cannot stop money that the bank has already sent");
  expect(await openPayments(payer)).toContain(paths.account());

  await control.advance(DAY);
  await shop.settled();
  expect(await statusOf(payer)).toEqual(["active"]);
  expect(await db.select().from(invoices).where(eq(invoices.userId, payer.id))).toMatchObject([
    { status: "paid", amountPaid: 1499 },
  ]);
  expect((await returnPage(payer, checkoutId)).text).toContain("<h1>Welcome</h1>");
  expect(await pageOf(payer, paths.account())).toContain("Bank debit ending in 6789");
  expect(await kindsOfMails(payer)).toEqual(["billing-receipt"]);
  const events = await db.select().from(billingEvents).where(eq(billingEvents.subjectId, sessionId));
  expect(events.map(({ type }) => type).sort()).toEqual([
    "checkout.session.async_payment_succeeded",
    "checkout.session.completed",
  ]);
  // The same holds for every renewal.
  await control.advance(32 * DAY);
  await shop.settled();
  expect(await statusOf(payer)).toEqual(["active"]);
});

test("a returned bank transfer gives no access, and a new purchase is possible", async () => {
  const { payer, sessionId, subscriptionId, checkoutId } = await orderByBank();
  await shop.settled();
  await control.advance(2 * DAY);
  control.completeTransfer(subscriptionId, "failed");
  await control.advance(1);
  await shop.settled();
  expect(await statusOf(payer)).toEqual(["incomplete_expired"]);
  expect(await mailsTo(payer)).toEqual([
    {
      kind: "billing-unbegun",
      subject: "Peony: Your subscription has not started",
      text: expect.stringContaining("was not completed in time, so the subscription was closed"),
    },
  ]);
  const { text } = await returnPage(payer, checkoutId);
  expect(text).toContain("The status of your subscription");
  expect(text).not.toContain("<h1>Welcome</h1>");
  const events = await db.select().from(billingEvents).where(eq(billingEvents.subjectId, sessionId));
  expect(events.map(({ type }) => type)).toContain("checkout.session.async_payment_failed");
  expect((await startCheckout(await purchaseOf(payer, shop.monthly.id))).kind).toBe("page");
});

test("canceling before the bank transfer arrives is confirmed once, with what happens to the money", async () => {
  const { payer } = await orderByBank();
  await shop.settled();
  await leave(payer);
  await shop.settled();
  expect(await statusOf(payer)).toEqual(["canceled"]);
  const [mail, ...others] = await mailsTo(payer);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ kind: "billing-unbegun", subject: "Peony: Your cancellation is confirmed" });
  expect(mail?.text).toMatch(/was canceled on .*, before its first payment was completed/);
  expect(mail?.text).toContain("If your bank has already sent the money, it may still arrive");
  expect(await pageOf(payer, paths.account())).toContain("so it never started");
  // The money arrives three days later, but gives no access.
  await control.advance(4 * DAY);
  await shop.settled();
  expect(await statusOf(payer)).toEqual(["canceled"]);
  const [, receipt, ...more] = await mailsTo(payer);
  expect([receipt?.kind, more]).toEqual(["billing-receipt", []]);
  expect(receipt?.text).toContain(
    "was closed before this payment arrived, so the payment does not give you access",
  );
});

test("a transfer that arrives after its invoice was paid otherwise or voided charges nobody", async () => {
  const later = async (close: (invoiceId: string) => Promise<unknown>) => {
    const { payer, sessionId } = await orderByBank();
    await shop.settled();
    const { invoice } = await stripe.checkout.sessions.retrieve(sessionId);
    await close(String(invoice));
    await control.advance(3 * DAY);
    await shop.settled();
    const charges = (await stripe.charges.list({ customer: payer.customerId })).data;
    const events = await db.select().from(billingEvents).where(eq(billingEvents.subjectId, sessionId));
    expect(events.map(({ type }) => type)).toEqual(["checkout.session.completed"]);
    return { payer, taken: charges.filter(({ paid }) => paid).map(({ amount }) => amount) };
  };
  const byCard = await later((id) => submit(`${shop.standIn.origin}/i/${id}`, { card: "4242" }));
  expect(byCard.taken).toEqual([1499]);
  expect(await statusOf(byCard.payer)).toEqual(["active"]);
  expect(await kindsOfMails(byCard.payer)).toEqual(["billing-receipt"]);

  const voided = await later((id) => stripe.invoices.voidInvoice(id));
  expect(voided.taken).toEqual([]);
  await control.advance(DAY);
  await shop.settled();
  expect(await statusOf(voided.payer)).toEqual(["incomplete_expired"]);
});
