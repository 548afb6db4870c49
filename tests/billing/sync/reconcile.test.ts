import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { requestSignIn, signInByLink } from "#app/domain/auth/sign-in.server.ts";
import { sellingProvider } from "#app/domain/billing/providers/providers.server.ts";
import { refreshCustomer, refreshSubscription } from "#app/domain/billing/sync/reconcile.server.ts";
import { readFetchTime } from "#app/domain/billing/sync/snapshot.server.ts";
import { writeSubscription } from "#app/domain/billing/sync/write-subscription.server.ts";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/customers.ts";
import { invoices } from "#db/schema/invoices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { createMember } from "#tests/support/people.ts";

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

test("one reconciliation writes everything about a customer without any event", async () => {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "drop" });
  const id = await shop.buy(payer);
  const differences = await refreshCustomer(payer.id);
  expect(differences).toMatchObject([
    { kind: "subscription", id, what: "new" },
    { kind: "invoice", what: "new" },
    { kind: "customer", id: payer.customerId, what: "changed" },
  ]);
  expect((await refreshCustomer(payer.id))?.map(({ what }) => what)).toEqual(["same", "same", "same"]);
  const [known] = await db.select().from(customers).where(eq(customers.userId, payer.id));
  expect(known?.reconciledAt).toBeInstanceOf(Date);
});

test("a single subscription can be fetched, and one unknown to the provider is kept and marked as unknown", async () => {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "drop" });
  const id = await shop.buy(payer);
  expect(await refreshSubscription("stripe", id)).toEqual([{ kind: "subscription", id, what: "new" }]);
  await stripe.subscriptions.cancel(id);
  expect(await refreshSubscription("stripe", id)).toEqual([{ kind: "subscription", id, what: "changed" }]);
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!row) throw new Error("It was not stored");
  await db.insert(subscriptions).values({ ...row, id: "sub_of_nobody", status: "active", endedAt: null });
  const unknown = { kind: "subscription", id: "sub_of_nobody", what: "unknown" };
  expect(await refreshSubscription("stripe", "sub_of_nobody")).toEqual([unknown]);
  expect(await refreshCustomer(payer.id)).toContainEqual(unknown);
  const [kept] = await db.select().from(subscriptions).where(eq(subscriptions.id, "sub_of_nobody"));
  expect(kept).toMatchObject({ status: "active", currentPeriodEnd: row.currentPeriodEnd, endedAt: null });
  expect(kept?.unknownSince).toBeInstanceOf(Date);
  await db.delete(subscriptions).where(eq(subscriptions.id, "sub_of_nobody"));
});

test("a full refund of the current period ends the subscription, a partial one does not", async () => {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "drop" });
  const id = await shop.buy(payer);
  const [charge] = (await stripe.charges.list({ customer: payer.customerId })).data;
  await stripe.refunds.create({ charge: charge?.id, amount: 500 });
  await refreshCustomer(payer.id);
  const state = async () => {
    const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
    const [invoice] = await db.select().from(invoices).where(eq(invoices.subscriptionId, id));
    return [subscription?.status, invoice?.amountRefunded];
  };
  expect(await state()).toEqual(["active", 500]);
  await stripe.refunds.create({ charge: charge?.id });
  await refreshCustomer(payer.id);
  expect(await state()).toEqual(["canceled", 1499]);
});

test("a response to an earlier request does not undo a later one", async () => {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "drop" });
  const id = await shop.buy(payer);
  const fetchedAt = await readFetchTime();
  const old = await sellingProvider()?.readSubscription(id);
  if (!old) throw new Error("The provider does not know it");
  await stripe.subscriptions.cancel(id);
  await refreshSubscription("stripe", id);
  expect(await db.transaction((tx) => writeSubscription(tx, old, fetchedAt))).toBe("late");
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  expect(row?.status).toBe("canceled");
});

test("nothing is fetched for a member without a purchase", async () => {
  expect(await refreshCustomer((await createMember()).id)).toBeNull();
});

test("signing in after a while queues a reconciliation, and does not wait for it", async () => {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "drop" });
  const id = await shop.buy(payer);
  // A provider that does not respond locks nobody out, because it is not called.
  control.failNext({ hangMs: 60_000, pathIncludes: payer.customerId });
  const stranger = await createMember();
  const usual = await millisecondsOf(() => signIn(stranger.email));
  expect(await millisecondsOf(() => signIn(payer.email))).toBeLessThan(2_000 + 3 * usual);
  expect(await jobsFor(payer.id)).toBe(1);
  const { origin, secretKey } = shop.standIn;
  const fetched = fetch(`${origin}/v1/customers/${payer.customerId}`, {
    headers: { authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.timeout(100),
  });
  await expect(fetched).rejects.toThrow();
  await shop.settled();
  expect(await db.select().from(subscriptions).where(eq(subscriptions.userId, payer.id))).toMatchObject([
    { id },
  ]);

  await signIn(payer.email);
  expect(await jobsFor(payer.id)).toBe(0);
  await db
    .update(customers)
    .set({ reconciledAt: sql`now() - interval '25 hours'` })
    .where(eq(customers.userId, payer.id));
  await signIn(payer.email);
  expect(await jobsFor(payer.id)).toBe(1);
  await signIn(stranger.email);
  expect(await jobsFor(stranger.id)).toBe(0);
});

async function millisecondsOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function signIn(email: string): Promise<void> {
  const nonce = randomUUID();
  const browser = { browserHash: hashSecret(nonce), device: "Test", network: null };
  await requestSignIn({ ...browser, email, nonce, link: "http://localhost/", next: "/" });
  const signedIn = await signInByLink({ nonce, email, isConfirmed: true }, browser, null);
  expect(signedIn.ok).toBe(true);
}

async function jobsFor(userId: string): Promise<number> {
  const [row] = await db.execute<{
    count: number;
  }>(sql`SELECT count(*)::int AS count FROM graphile_worker._private_jobs
    WHERE payload ->> 'userId' = ${userId}`);
  return row?.count ?? 0;
}
