import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/customers.ts";
import { prices } from "#db/schema/prices.ts";
import { subscriptionChanges } from "#db/schema/subscriptions.ts";
import {
  begin,
  id,
  inDays,
  prepareOffer,
  type Subscription,
} from "#tests/support/billing/stored-subscription.ts";
import { writeSubscription } from "../sync/write-subscription.server.ts";
import { recordSubscriptionChange } from "./subscription-changes.server.ts";

beforeAll(prepareOffer);

/** One whose owner is a customer, so that the provider's answers about it can be written. */
async function sold(given: Partial<Subscription> = {}) {
  const { subscription, userId } = await begin({ fetchedAt: inDays(-40), created: inDays(-40), ...given });
  const customerId = id("cus");
  await db.insert(customers).values({ userId, provider: "stripe", providerCustomerId: customerId });
  const answer = async (changed: Partial<Subscription>, fetchedAt = sql`clock_timestamp()`) => {
    const row = { ...subscription, ...changed };
    const [price = null] = await db.select().from(prices).where(eq(prices.id, row.priceId));
    const {
      userId: _,
      fetchedAt: __,
      unknownSince,
      requestedChange,
      requestedAt,
      isRequestOpen,
      ...facts
    } = row;
    const sale = { customerId, price, product: null, checkoutId: null, soldTerms: null, fingerprint: null };
    const about = { ...sale, isOtherSite: false, hasOtherSitesPrice: false };
    return db.transaction((tx) => writeSubscription(tx, { ...facts, ...about }, fetchedAt));
  };
  return { subscription, answer, changes: () => changesOf(subscription.id) };
}

async function changesOf(subscriptionId: string) {
  const rows = await db
    .select()
    .from(subscriptionChanges)
    .where(eq(subscriptionChanges.subscriptionId, subscriptionId))
    .orderBy(subscriptionChanges.number);
  return rows.map(({ status, priceId, isCancelled }) => [status, priceId, isCancelled]);
}
const timesOf = async (subscriptionId: string) =>
  (
    await db
      .select({ at: subscriptionChanges.at })
      .from(subscriptionChanges)
      .where(eq(subscriptionChanges.subscriptionId, subscriptionId))
      .orderBy(subscriptionChanges.number)
  ).map(({ at }) => at);

test("each change of status, plan or cancellation adds one row, and the same answer again adds none", async () => {
  const { answer, changes } = await sold();
  for (const changed of [
    { status: "active" },
    { status: "past_due" },
    { status: "active", priceId: "yearly" },
    { status: "active", priceId: "yearly", cancelAtPeriodEnd: true, canceledAt: inDays(0) },
    { status: "canceled", priceId: "yearly", cancelAtPeriodEnd: true, endedAt: inDays(0) },
  ] as const) {
    await answer(changed);
    await answer({ ...changed, nextAmount: 5 });
  }
  expect(await changes()).toEqual([
    ["active", "monthly", false],
    ["past_due", "monthly", false],
    ["active", "yearly", false],
    ["active", "yearly", true],
    ["canceled", "yearly", true],
  ]);
});

test("the same answer from several events at once is one row", async () => {
  const { answer, changes } = await sold();
  await answer({ status: "active" });
  await Promise.all(Array.from({ length: 8 }, () => answer({ status: "past_due" })));
  expect(await changes()).toEqual([
    ["active", "monthly", false],
    ["past_due", "monthly", false],
  ]);
});

test("an answer that comes late changes nothing, and one that is not written leaves no row", async () => {
  const { answer, changes } = await sold();
  expect(await answer({ status: "canceled", endedAt: inDays(0) })).toBe("changed");
  const before = await changes();
  expect(await answer({ status: "active" }, sql`now() - interval '1 hour'`)).toBe("late");
  expect(await changes()).toEqual(before);
  await expect(
    db.transaction(async (tx) => {
      await tx.execute(sql`UPDATE subscriptions SET status = 'past_due'`);
      await recordSubscriptionChange(tx, (await begin()).subscription.id);
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(await changes()).toEqual(before);
});

test("a change keeps the provider's date, even when we hear of it late", async () => {
  const trial = { trialStart: inDays(-20), trialEnd: inDays(-13) };
  const { subscription, answer, changes } = await sold({ created: inDays(-20) });
  await answer({ ...trial, status: "active" });
  await answer({ ...trial, status: "active", cancelAtPeriodEnd: true, canceledAt: inDays(-9) });
  await answer({ ...trial, status: "canceled", cancelAtPeriodEnd: true, endedAt: inDays(-2) });
  expect(await changes()).toEqual([
    ["trialing", "monthly", false],
    ["active", "monthly", false],
    ["active", "monthly", true],
    ["canceled", "monthly", true],
  ]);
  const days = (await timesOf(subscription.id)).map((at) =>
    Math.round((at.getTime() - Date.now()) / 86_400_000),
  );
  expect(days).toEqual([-20, -13, -9, -2]);
});
