import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { deleteAccount } from "#app/domain/account/delete-account.server.ts";
import { sendRequest } from "#app/domain/billing/cancellation/cancel.server.ts";
import {
  closeRequest,
  recordRequest,
  retryRequests,
} from "#app/domain/billing/cancellation/cancellation-requests.server.ts";
import { sendDueMails } from "#app/domain/billing/mails/reminder-mails.server.ts";
import { cancelLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { refreshSubscription } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/customers.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { movedClock } from "#tests/support/fast-site.ts";
import { createMember, letDeletionFallDue } from "#tests/support/people.ts";

const ACCOUNT = "/user/account";
const CANCELLATION = "/user/account/subscription";
const DAY = 86_400;
const RECORDED = /Your cancellation is recorded as of \d+ \w+ \d{4}, \d\d:\d\d UTC/;

const shop = await startPaidSite({ env: movedClock("the payment provider") });
const { control, stripe } = shop;
afterAll(() => shop.stop());

async function newSubscriber(bought: Parameters<typeof shop.buy>[1] = {}) {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer, bought);
  await shop.settled();
  // A successful call resets the failure count: after five failures in a row, the site pauses all calls.
  await press("/subscribe/portal", {}, payer.cookie);
  const { pathname, search } = new URL(cancelLink({ id, userId: payer.id }));
  return { payer, id, own: { id, userId: payer.id }, link: pathname + search };
}

/** Each of the next calls fails; the SDK makes three attempts per call. */
const isUnreachable = (id: string, questions = 1) =>
  control.failNext({ status: 500, times: 3 * questions, pathIncludes: `/v1/subscriptions/${id}` });

function press(path: string, form: Record<string, string>, cookie = "") {
  const headers = { cookie, origin: shop.site.origin };
  return shop.site.fetch(path, { method: "POST", body: new URLSearchParams(form), headers });
}
async function look(path: string, cookie = "") {
  const html = await (await shop.site.fetch(path, { headers: { cookie } })).text();
  return html.replaceAll(/<!-- -->|<script.*?<\/script>/gs, "");
}
const rowOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id))).at(0);
const isCancelled = async (id: string) => (await stripe.subscriptions.retrieve(id)).cancel_at_period_end;
const confirmations = async ({ email }: Payer) =>
  (await db.select().from(mailOutbox).where(eq(mailOutbox.to, email))).filter(
    ({ kind }) => kind === "billing-canceled",
  ).length;

/** Makes the job due that waits until the button's response was sent. */
const laterOn = async (id: string) => {
  await db.execute(
    sql`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload ->> 'id' = ${id}`,
  );
  await shop.settled();
};

test("a cancellation while the provider is unreachable is recorded, sent later, and confirmed by one email", async () => {
  const { payer, id } = await newSubscriber();
  isUnreachable(id);
  const pressed = await press(CANCELLATION, { intent: "cancel" }, payer.cookie);
  expect([pressed.status, pressed.headers.get("location")]).toEqual([
    303,
    `${CANCELLATION}?subscription=${id}`,
  ]);
  const page = await look(CANCELLATION, payer.cookie);
  expect(page).toContain("We could not reach the payment provider");
  expect(page).toMatch(RECORDED);
  expect(page).toContain("Keep my subscription");
  expect(page).not.toContain("Cancel my subscription");
  const account = await look(ACCOUNT, payer.cookie);
  expect(account).toMatch(RECORDED);
  expect(account).toContain("None, once your cancellation is sent");
  expect(account).not.toContain("then renews");
  const recorded = await rowOf(id);
  expect(recorded).toMatchObject({
    requestedChange: "cancel",
    isRequestOpen: true,
    cancelAtPeriodEnd: false,
  });

  // Pressing again is the same request, and the provider does not respond to the job either.
  isUnreachable(id, 2);
  expect((await press(CANCELLATION, { intent: "cancel" }, payer.cookie)).status).toBe(303);
  expect((await rowOf(id))?.requestedAt).toEqual(recorded?.requestedAt);
  await expect(sendRequest({ id, userId: payer.id })).rejects.toThrow("has not confirmed");
  expect([await isCancelled(id), await confirmations(payer)]).toEqual([false, 0]);

  await laterOn(id);
  expect(await isCancelled(id)).toBe(true);
  expect(await rowOf(id)).toMatchObject({ isRequestOpen: false, cancelAtPeriodEnd: true });
  await retryRequests();
  await laterOn(id);
  expect(await confirmations(payer)).toBe(1);
  expect(await look(CANCELLATION, payer.cookie)).toContain("Your subscription is canceled");
}, 60_000);

test("a request taken back before it was sent is never sent, and nobody gets an email", async () => {
  const { payer, id } = await newSubscriber();
  isUnreachable(id, 2);
  await press(CANCELLATION, { intent: "cancel" }, payer.cookie);
  const kept = await press(CANCELLATION, { intent: "keep" }, payer.cookie);
  expect([kept.status, kept.headers.get("location")]).toEqual([303, `${ACCOUNT}?saved=kept#subscription`]);
  const account = await look(ACCOUNT, payer.cookie);
  expect(account).toContain("and then renews");
  expect(account).not.toMatch(RECORDED);
  await laterOn(id);
  expect([await isCancelled(id), await confirmations(payer)]).toEqual([false, 0]);
  expect(await rowOf(id)).toMatchObject({ requestedChange: "keep", isRequestOpen: false });
}, 60_000);

test("a request taken back while it is being sent does not stay canceled", async () => {
  const { payer, id, own } = await newSubscriber();
  isUnreachable(id);
  await press(CANCELLATION, { intent: "cancel" }, payer.cookie);
  const older = (await rowOf(id))?.requestedAt ?? new Date();
  const kept = await press(CANCELLATION, { intent: "keep" }, payer.cookie);
  expect(kept.headers.get("location")).toContain("saved=kept");
  expect(await rowOf(id)).toMatchObject({ requestedChange: "keep", isRequestOpen: false });
  // The older cancellation was still in progress and reaches the provider after the newer request.
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await closeRequest(own, older);
  await laterOn(id);
  expect(await isCancelled(id)).toBe(false);
  expect(await rowOf(id)).toMatchObject({
    requestedChange: "keep",
    isRequestOpen: false,
    cancelAtPeriodEnd: false,
  });
}, 60_000);

test("a web process that dies while it waits for the provider loses no request", async () => {
  const { payer, id } = await newSubscriber();
  control.failNext({ hangMs: 20_000, pathIncludes: `/v1/subscriptions/${id}` });
  const pressed = press(CANCELLATION, { intent: "cancel" }, payer.cookie).catch(() => "lost");
  await expect.poll(async () => (await rowOf(id))?.isRequestOpen).toBe(true);
  await shop.restart();
  expect(await pressed).toBe("lost");
  expect(await look(CANCELLATION, payer.cookie)).toMatch(RECORDED);
  await laterOn(id);
  expect(await isCancelled(id)).toBe(true);
}, 60_000);

test("a worker that dies after the provider's confirmation, or with its job, is recovered from within the hour", async () => {
  const { payer, id, own } = await newSubscriber();
  await recordRequest(own, "cancel");
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'id' = ${id}`);
  control.webhooks({ mode: "drop" });
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  control.webhooks({});
  expect(await rowOf(id)).toMatchObject({ isRequestOpen: true, cancelAtPeriodEnd: false });
  await retryRequests();
  await shop.settled();
  expect(await rowOf(id)).toMatchObject({ isRequestOpen: false, cancelAtPeriodEnd: true });
  expect(await confirmations(payer)).toBe(1);
}, 60_000);

test("nobody is reminded of a renewal after canceling it", async () => {
  const { payer, id, own } = await newSubscriber({ price: shop.yearly.id });
  await recordRequest(own, "cancel");
  const soon = { currentPeriodEnd: sql`now() + interval '20 days'` };
  await db.update(subscriptions).set(soon).where(eq(subscriptions.id, id));
  await sendDueMails();
  const kinds = (await db.select().from(mailOutbox).where(eq(mailOutbox.to, payer.email))).map(
    ({ kind }) => kind,
  );
  expect(kinds).not.toContain("billing-renewal");
  await closeRequest(own, (await rowOf(id))?.requestedAt ?? new Date(0));
  await sendDueMails();
  expect(
    await db.$count(
      mailOutbox,
      sql`${mailOutbox.to} = ${payer.email} AND ${mailOutbox.kind} = 'billing-renewal'`,
    ),
  ).toBe(1);
}, 60_000);

test("nobody makes requests for another's subscription, and deleting the account deletes its requests", async () => {
  const { payer, id, own } = await newSubscriber();
  const eve = await createMember();
  expect(await recordRequest({ id, userId: eve.id }, "cancel")).toBeNull();
  expect(await rowOf(id)).toMatchObject({ requestedChange: null, isRequestOpen: false });
  await recordRequest(own, "cancel");
  await stripe.subscriptions.cancel(id);
  await refreshSubscription("stripe", id);
  await db.delete(customers).where(eq(customers.userId, payer.id));
  await letDeletionFallDue(payer.id);
  expect(await deleteAccount(payer.id)).toBe("deleted");
  expect(await sendRequest(own)).toBeNull();
}, 60_000);

// The following tests move the clock.
test("a period charged before the request was sent is reported to the host", async () => {
  const { id, own } = await newSubscriber();
  const soon = await newSubscriber();
  await recordRequest(soon.own, "cancel");
  expect(await sendRequest(soon.own)).toEqual({ outcome: "done", isCharged: false });
  await recordRequest(own, "cancel");
  await control.advance(32 * DAY);
  expect(await sendRequest(own)).toEqual({ outcome: "done", isCharged: true });
  expect(await sendRequest(own)).toBeNull();
  expect(await isCancelled(id)).toBe(true);
}, 60_000);

test.each([
  ["an unpaid subscription", false],
  ["an unpaid subscription that was to end with its period", true],
])(
  "%s ends at once when the request is sent",
  async (_, isEnding) => {
    const overdue = await newSubscriber();
    // After a month of 28 days the payment is tried again within the 32.
    control.failNextPayment(overdue.id, 2);
    await control.advance(32 * DAY);
    await shop.settled();
    await stripe.subscriptions.update(overdue.id, { cancel_at_period_end: isEnding });
    await shop.settled();
    expect(await rowOf(overdue.id)).toMatchObject({ status: "past_due", cancelAtPeriodEnd: isEnding });
    isUnreachable(overdue.id);
    expect((await press(overdue.link, { intent: "cancel", confirm: "yes" })).status).toBe(303);
    const page = await look(overdue.link);
    expect(page).toMatch(RECORDED);
    expect(page).toContain("<dd>At once</dd>");
    await laterOn(overdue.id);
    expect((await stripe.subscriptions.retrieve(overdue.id)).status).toBe("canceled");
  },
  60_000,
);
