import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { DAY_MS, formatDate } from "#app/dates.ts";
import { endWithdrawn, retryWithdrawals } from "#app/domain/billing/cancellation/withdraw.server.ts";
import { cancelLink, withdrawLink } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { withdrawals } from "#db/schema/cancellations.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { digestTables } from "#tests/support/database/digest.ts";
import { movedClock } from "#tests/support/fast-site.ts";
import { lastSeenAt, UNTIL_NOTED } from "#tests/support/people.ts";

const shop = await startPaidSite({ env: movedClock("the payment provider") });
const { control, stripe } = shop;
afterAll(() => shop.stop());

async function newSubscriber() {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  const { pathname, search } = new URL(withdrawLink({ id, userId: payer.id }));
  return { payer, id, link: pathname + search };
}
const look = async (path: string, cookie = "") =>
  (await (await shop.site.fetch(path, { headers: { cookie } })).text()).replaceAll("<!-- -->", "");
const press = (path: string, { cookie = "", origin = shop.site.origin } = {}) =>
  shop.site.fetch(path, {
    method: "POST",
    // Only the page of an emailed link has a box to tick.
    body: new URLSearchParams({ intent: "withdraw", ...(path.includes("?") && { confirm: "yes" }) }),
    headers: { cookie, origin },
    redirect: "manual",
  });
const mailsTo = ({ email }: Payer) =>
  db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(mailOutbox.createdAt);
const kindsTo = async (payer: Payer) => (await mailsTo(payer)).map(({ kind }) => kind);
const begunBeforeToday = (id: string, ago: string) =>
  db
    .update(subscriptions)
    .set({ created: sql`date_trunc('day', now(), 'UTC') - ${ago}::interval` })
    .where(eq(subscriptions.id, id));

test("the first email leads to a page that withdraws without a sign-in, once, and emails a receipt with the time", async () => {
  const { payer, id, link } = await newSubscriber();
  const [first] = await mailsTo(payer);
  const inMail = first?.text.match(/https?:\S+\/withdraw\?\S+/)?.[0] ?? "";
  expect(new URL(inMail).search).toBe(new URL(link, shop.site.origin).search);
  const before = await digestTables();
  const page = await look(link);
  for (const words of [
    "Confirm withdrawal",
    "Membership",
    "$14.99 a month",
    "There is no automatic refund",
  ]) {
    expect(page).toContain(words);
  }
  expect(await digestTables()).toEqual(before);

  const answers = await Promise.all([press(link), press(link), press(link)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  await shop.settled();
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  expect(await kindsTo(payer)).toEqual(["billing-receipt", "billing-withdrawal", "billing-ended"]);
  const receipt = (await mailsTo(payer)).find(({ kind }) => kind === "billing-withdrawal");
  expect(receipt?.subject).toBe("Peony: We have received your withdrawal");
  expect(receipt?.text).toMatch(/^Received on: \d+ \w+ \d{4}, \d\d:\d\d UTC$/m);
  expect(await look(link)).toMatch(/We received it on \d+ \w+ \d{4}, \d\d:\d\d UTC/);
  expect(await look(paths.account(), payer.cookie)).toContain(
    "You have no access to videos and photos for subscribers",
  );
  // No refund is made before somebody decides on it.
  expect((await stripe.charges.list({ customer: payer.customerId })).data[0]?.amount_refunded).toBe(0);
}, 60_000);

test("a signed-in member withdraws from their own contract without a link", async () => {
  const { payer, id } = await newSubscriber();
  expect(await look(paths.account(), payer.cookie)).toContain("withdraw from the contract here");
  expect(await look(paths.withdraw(), payer.cookie)).toContain("Confirm withdrawal");
  const answer = await press(paths.withdraw(), payer);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, paths.withdraw()]);
  await shop.settled();
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  expect(await look(paths.account(), payer.cookie)).not.toContain("withdraw from the contract here");
}, 60_000);

test("withdrawal is possible to the end of the fourteenth day, which the page names, and cancellation after that", async () => {
  const [early, late] = [await newSubscriber(), await newSubscriber()];
  await begunBeforeToday(early.id, "14 days");
  await begunBeforeToday(late.id, "14 days 1 second");
  const yesterday = formatDate(new Date(Date.now() - DAY_MS));
  expect(await look(early.link)).toContain(`until the end of ${formatDate(new Date())} (UTC)`);
  expect(await look(late.link)).toContain(`You could withdraw until the end of ${yesterday} (UTC).`);
  expect(await look(late.link)).toContain("It is too late to withdraw");
  expect(await look(paths.account(), late.payer.cookie)).not.toContain("withdraw from the contract here");
  expect((await press(late.link)).status).toBe(409);
  expect((await press(early.link)).status).toBe(303);
  const declared = await db.select().from(withdrawals);
  expect(declared.map(({ subscriptionId }) => subscriptionId)).toContain(early.id);
  expect(declared.map(({ subscriptionId }) => subscriptionId)).not.toContain(late.id);
  await shop.settled();
  expect((await stripe.subscriptions.retrieve(late.id)).status).toBe("active");
}, 60_000);

test("a withdrawal while the provider does not answer is recorded, and takes effect when it does", async () => {
  const { payer, id, link } = await newSubscriber();
  control.failNext({ status: 500, times: 3, pathIncludes: `/v1/subscriptions/${id}` });
  expect((await press(link)).status).toBe(303);
  expect(await kindsTo(payer)).toContain("billing-withdrawal");
  const own = { id, userId: payer.id };
  await expect(endWithdrawn(own)).rejects.toThrow("has not confirmed");
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  expect(await endWithdrawn(own)).toBe("done");
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  expect(await endWithdrawn(own)).toBe("over");
  await shop.settled();
}, 60_000);

const anHourLater = async () => {
  await enqueue("retry-billing", {});
  await shop.settled();
};
const countJobs = async (id: string) =>
  (await db.execute(sql`SELECT 1 FROM graphile_worker._private_jobs WHERE payload ->> 'id' = ${id}`)).length;

test("a withdrawal whose job died takes effect within an hour after the provider answers again", async () => {
  const { id, link } = await newSubscriber();
  control.failNext({ status: 500, times: 3, pathIncludes: `/v1/subscriptions/${id}` });
  expect((await press(link)).status).toBe(303);
  await shop.settled();
  const died = await db.execute(sql`UPDATE graphile_worker._private_jobs SET attempts = max_attempts
    WHERE payload ->> 'id' = ${id} RETURNING attempts`);
  expect(died).toHaveLength(1);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  await anHourLater();
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  await retryWithdrawals();
  expect(await countJobs(id)).toBe(1);
}, 60_000);

test("a withdrawal without a configured provider takes effect within an hour after one is configured", async () => {
  const { id, link } = await newSubscriber();
  const { stripe: own } = config.billing;
  config.billing.stripe = null;
  expect((await press(link)).status).toBe(303);
  await shop.settled();
  expect(await countJobs(id)).toBe(0);
  config.billing.stripe = own;
  await anHourLater();
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
}, 60_000);

test("a withdrawal unknown to the provider is retried each hour for thirty days, and again once it is known", async () => {
  const { id, link } = await newSubscriber();
  const set = (values: Partial<typeof subscriptions.$inferInsert>) =>
    db.update(subscriptions).set(values).where(eq(subscriptions.id, id));
  await set({ provider: "former", unknownSince: new Date() });
  expect((await press(link)).status).toBe(303);
  await shop.settled();
  await retryWithdrawals();
  expect(await countJobs(id)).toBe(1);
  await shop.settled();
  const longAgo = { receivedAt: sql`now() - interval '31 days'` };
  await db.update(withdrawals).set(longAgo).where(eq(withdrawals.subscriptionId, id));
  await retryWithdrawals();
  expect(await countJobs(id)).toBe(0);
  await set({ provider: "stripe", unknownSince: null });
  await anHourLater();
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
}, 60_000);

test("nobody withdraws from another's contract", async () => {
  const [ada, eve] = [await newSubscriber(), await newSubscriber()];
  const signatureOf = (link: string) => new URL(link, shop.site.origin).searchParams.get("signature") ?? "";
  await look("/about", eve.payer.cookie);
  await expect.poll(() => lastSeenAt(eve.payer.id), UNTIL_NOTED).not.toBeNull();
  const before = await digestTables();
  for (const query of [
    { subscription: ada.id, signature: signatureOf(eve.link) },
    { subscription: ada.id, signature: "x".repeat(5_000) },
    { subscription: "", signature: signatureOf(ada.link) },
  ]) {
    expect((await press(paths.withdraw(query), eve.payer)).status).toBe(422);
  }
  expect((await press(paths.withdraw())).status).toBe(422);
  expect((await press(ada.link, { origin: "https://evil.example" })).status).toBe(403);
  const seen = await look(
    paths.withdraw({ subscription: ada.id, signature: signatureOf(eve.link) }),
    eve.payer.cookie,
  );
  expect(seen).toContain("This link does not work");
  expect(await digestTables()).toEqual(before);
  // The signature of a cancel link grants the same right: to end the subscription.
  expect(signatureOf(new URL(cancelLink({ id: ada.id, userId: ada.payer.id })).href)).toBe(
    signatureOf(ada.link),
  );
}, 60_000);
