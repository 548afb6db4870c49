import { and, desc, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { deleteAccount, endAndDeleteAccount } from "#app/domain/account/delete-account.server.ts";
import { endEverything } from "#app/domain/billing/cancellation/end-everything.server.ts";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { movedClock } from "#tests/support/fast-site.ts";
import { createMember, letDeletionFallDue, signedInCookie, subscribe } from "#tests/support/people.ts";

const shop = await startPaidSite({ env: movedClock("the payment provider") });
const { control, stripe } = shop;
afterAll(() => shop.stop());

const ACCOUNT = "/user/account";
const CANCELLATION = "/user/account/subscription";

async function newSubscriber(bought: Parameters<typeof shop.buy>[1] = {}) {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer, bought);
  await shop.settled();
  await refreshCustomer(payer.id);
  return { payer, id };
}

async function look({ cookie }: Pick<Payer, "cookie">, path = ACCOUNT) {
  const answer = await shop.site.fetch(path, { headers: { cookie } });
  return {
    status: answer.status,
    html: (await answer.text()).replaceAll(/<!-- -->|<script.*?<\/script>/gs, ""),
  };
}

function post({ cookie }: Pick<Payer, "cookie">, path: string, form: Record<string, string>) {
  const headers = { cookie, origin: shop.site.origin };
  return shop.site.fetch(path, { method: "POST", body: new URLSearchParams(form), headers });
}

/** Deletes the account as the worker does when the time to undo the deletion is over. */
async function goneFor({ id }: Payer): Promise<void> {
  await letDeletionFallDue(id);
  expect(await endAndDeleteAccount(id)).toBe("deleted");
  expect(await db.$count(users, eq(users.id, id))).toBe(0);
}

const rowOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id))).at(0);
const mailsTo = async ({ email }: Payer) =>
  db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(desc(mailOutbox.createdAt));

test("the account says why there is access, the next charge and past payments, and canceling takes two clicks", async () => {
  const { payer, id } = await newSubscriber();
  const { html } = await look(payer);
  expect(html).toMatch(
    /You have access to everything\. Your subscription is active until [^<]+ and then renews/,
  );
  expect(html).toMatch(/Membership, \$14\.99 a month/);
  expect(html).toMatch(/<dd>\$14\.99 on \d+ \w+ \d{4}<\/dd>/);
  expect(html).toMatch(/Visa ending in 4242, valid to/);
  expect(html).toMatch(/<strong>\$14\.99<\/strong> on /);
  expect(html).toContain("Change plan or card");
  const [invoice] = await db.select().from(invoices).where(eq(invoices.userId, payer.id));
  expect(html).toContain(`href="${invoice?.pdfUrl?.replaceAll("&", "&amp;")}"`);

  // This is the first click.
  expect(html).toContain(`href="${CANCELLATION}"`);
  const confirm = await look(payer, CANCELLATION);
  expect(confirm.html).toContain("You keep your account, your favorites and your progress.");
  expect(confirm.html).not.toMatch(/<select|<textarea|type="radio"|type="checkbox"/);
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: false });
  // This is the second click.
  const done = await post(payer, CANCELLATION, { intent: "cancel" });
  expect([done.status, done.headers.get("location")]).toEqual([303, `${CANCELLATION}?subscription=${id}`]);
  expect((await stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(true);
  expect((await look(payer, CANCELLATION)).html).toMatch(
    /Your subscription is canceled.*We confirm this by email/s,
  );
  const keptCharge =
    /If you keep it, the next charge is \$14\.99 on \d+ \w+ \d{4}, before discounts and tax\./;
  expect((await look(payer, CANCELLATION)).html).toMatch(keptCharge);
  const after = await look(payer);
  expect(after.html).toMatch(keptCharge);
  expect(after.html).toMatch(/Your subscription is active until [^<]+ and then ends/);
  expect(after.html).toContain("<dd>None</dd>");

  const kept = await post(payer, CANCELLATION, { intent: "keep" });
  expect(kept.headers.get("location")).toBe(`${ACCOUNT}?saved=kept#subscription`);
  expect((await stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(false);
  expect((await look(payer)).html).toContain("and then renews");
  expect((await look(payer)).html).not.toContain("If you keep it");
}, 60_000);

test("a trial is canceled in the same way, and after a failed payment a member pays at the provider or cancels at once", async () => {
  const trial = await newSubscriber({ trialDays: 7 });
  expect((await look(trial.payer)).html).toContain("Cancel trial");
  await post(trial.payer, CANCELLATION, { intent: "cancel" });
  expect(await rowOf(trial.id)).toMatchObject({ status: "trialing", cancelAtPeriodEnd: true });

  const overdue = await newSubscriber();
  control.failNextPayment(overdue.id);
  await control.advance(32 * 24 * 3600);
  await shop.settled();
  await refreshCustomer(overdue.payer.id);
  const { html } = await look(overdue.payer);
  expect(html).toContain(
    "You have no access to videos and photos for subscribers. The last payment did not go through",
  );
  expect(html).toContain("Fix payment");
  expect(html).toContain("Not paid yet");
  expect(html).toContain("<dd>$14.99, due now</dd>");
  expect((await look(overdue.payer, CANCELLATION)).html).toContain("It ends at once");
  await post(overdue.payer, CANCELLATION, { intent: "cancel" });
  expect(await rowOf(overdue.id)).toMatchObject({ status: "canceled" });
  expect((await look(overdue.payer)).html).toContain("Subscribe again");
}, 60_000);

test("the provider's current state, even before its event, decides how a subscription ends and whether it can be kept", async () => {
  const [paid, overdue, kept] = [await newSubscriber(), await newSubscriber(), await newSubscriber()];
  await db.update(subscriptions).set({ status: "past_due" }).where(eq(subscriptions.id, paid.id));
  await post(paid.payer, CANCELLATION, { intent: "cancel" });
  expect(await stripe.subscriptions.retrieve(paid.id)).toMatchObject({
    status: "active",
    cancel_at_period_end: true,
  });
  expect(await rowOf(paid.id)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });

  control.webhooks({ mode: "drop" });
  await stripe.subscriptions.update(kept.id, { cancel_at_period_end: true });
  expect(await rowOf(kept.id)).toMatchObject({ cancelAtPeriodEnd: false });
  await post(kept.payer, CANCELLATION, { intent: "keep" });
  expect((await stripe.subscriptions.retrieve(kept.id)).cancel_at_period_end).toBe(false);

  control.failNextPayment(overdue.id);
  await control.advance(32 * 24 * 3600);
  expect((await stripe.subscriptions.retrieve(overdue.id)).status).toBe("past_due");
  expect(await rowOf(overdue.id)).toMatchObject({ status: "active" });
  await post(overdue.payer, CANCELLATION, { intent: "cancel" });
  expect((await stripe.subscriptions.retrieve(overdue.id)).status).toBe("canceled");
  expect(await rowOf(overdue.id)).toMatchObject({ status: "canceled" });
  control.webhooks({});
}, 60_000);

test("while the provider is unreachable nothing is resumed, and the page says so", async () => {
  const { payer, id } = await newSubscriber();
  await post(payer, CANCELLATION, { intent: "cancel" });
  control.failNext({ status: 500, times: 3 });
  const refused = await post(payer, CANCELLATION, { intent: "keep" });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
  const html = await refused.text();
  expect(html).toContain("is still canceled");
  expect(html).toMatch(/Error id: <code>[0-9a-f-]{36}<\/code>/);
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: true });
}, 60_000);

test("nobody cancels another member's subscription, and a member without one is led to the account", async () => {
  const { payer, id } = await newSubscriber();
  const stranger = await createMember();
  const cookie = await signedInCookie(stranger.id);
  const forms: Record<string, string>[] = [
    { intent: "cancel" },
    { intent: "cancel", subscription: id, id, userId: payer.id },
    { intent: "keep" },
  ];
  for (const form of forms) {
    const answer = await post({ cookie }, CANCELLATION, form);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${ACCOUNT}#subscription`]);
  }
  expect(await rowOf(id)).toMatchObject({ cancelAtPeriodEnd: false });
  const { html } = await look({ cookie });
  expect(html).toContain("because you have no subscription.");
  expect(html).toContain("No invoices yet.");
});

test("staff read that they have access because they work here", async () => {
  const owner = await createMember({ role: "owner" });
  const { html } = await look({ cookie: await signedInCookie(owner.id) });
  expect(html).toContain("You have access to everything, because you work here.");
});

test("a subscription not stored yet ends with the account, too", async () => {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "drop" });
  const id = await shop.buy(payer);
  expect((await post(payer, ACCOUNT, { intent: "delete", confirm: "yes" })).status).toBe(303);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  control.webhooks({});
}, 60_000);

test("an open checkout is closed with the account, whether its page exists or is still being made", async () => {
  const openPages = async ({ customerId }: Payer) =>
    (await stripe.checkout.sessions.list({ customer: customerId, status: "open" })).data.length;
  for (const isLate of [false, true]) {
    const payer = await shop.createPayer();
    const purchase = await purchaseOf(payer, shop.monthly.id);
    if (isLate) control.failNext({ hangMs: 4_000, afterEffect: true, pathIncludes: "/checkout/sessions" });
    const start = startCheckout(purchase);
    if (!isLate) await start;
    // The checkout is started without a call that checks for an open one, because that call would be the one that
    // hangs.
    const begun = and(eq(checkouts.userId, payer.id), eq(checkouts.status, "open"));
    await expect.poll(() => db.$count(checkouts, begun)).toBe(1);
    expect((await post(payer, ACCOUNT, { intent: "delete", confirm: "yes" })).status).toBe(303);
    await goneFor(payer);
    expect((await start).kind).toBe(isLate ? "refused" : "page");
    expect(await openPages(payer)).toBe(0);
  }
}, 60_000);

test("no account is deleted while a checkout of it is open", async () => {
  const payer = await shop.createPayer();
  await startCheckout(await purchaseOf(payer, shop.monthly.id));
  await letDeletionFallDue(payer.id);
  expect(await deleteAccount(payer.id)).toBe("openPurchase");
  expect(await db.$count(users, eq(users.id, payer.id))).toBe(1);
  expect(await endEverything(payer.id)).toBe("done");
  expect(await deleteAccount(payer.id)).toBe("deleted");
});

test("a demo subscription is canceled, kept and ended like any other", async () => {
  const member = await createMember();
  const payer = { ...member, cookie: await signedInCookie(member.id), customerId: "" };
  const id = await subscribe(member.id);
  for (let time = 0; time < 2; time += 1)
    expect((await post(payer, CANCELLATION, { intent: "cancel" })).status).toBe(303);
  expect(await rowOf(id)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  await post(payer, CANCELLATION, { intent: "keep" });
  expect(await rowOf(id)).toMatchObject({ status: "active", cancelAtPeriodEnd: false, canceledAt: null });
  expect((await mailsTo(payer)).map(({ subject }) => subject)).toEqual([
    "Peony: Your subscription continues",
    "Peony: Your cancellation is confirmed",
  ]);
  await db.update(subscriptions).set({ status: "past_due" }).where(eq(subscriptions.id, id));
  await post(payer, CANCELLATION, { intent: "cancel" });
  expect(await rowOf(id)).toMatchObject({ status: "canceled" });
});

test("a subscription unknown to the provider is neither canceled nor kept, and does not change", async () => {
  const { payer, id } = await newSubscriber();
  const unknown = "sub_of_another_account";
  await db.update(subscriptions).set({ id: unknown }).where(eq(subscriptions.id, id));
  for (const [isCancelled, status, intent] of [
    [false, "active", "cancel"],
    [true, "active", "keep"],
    [false, "past_due", "cancel"],
  ] as const) {
    const row = { status, cancelAtPeriodEnd: isCancelled, endedAt: null, canceledAt: null };
    await db.update(subscriptions).set(row).where(eq(subscriptions.id, unknown));
    const refused = await post(payer, CANCELLATION, { intent });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("so you cannot change it here");
    expect(await rowOf(unknown)).toMatchObject({ ...row, unknownSince: expect.any(Date) });
  }
});

test("a subscription sold by another provider is neither canceled nor lost with the account", async () => {
  const { payer, id } = await newSubscriber();
  await db.update(subscriptions).set({ provider: "former" }).where(eq(subscriptions.id, id));
  await db.update(customers).set({ provider: "former" }).where(eq(customers.userId, payer.id));
  const canceled = await post(payer, CANCELLATION, { intent: "cancel" });
  expect([canceled.status, await canceled.text()]).toEqual([
    409,
    expect.stringContaining("a payment account that this site no longer uses"),
  ]);
  const deleted = await post(payer, ACCOUNT, { intent: "delete", confirm: "yes" });
  expect([deleted.status, await db.$count(users, eq(users.id, payer.id))]).toEqual([409, 1]);
});
