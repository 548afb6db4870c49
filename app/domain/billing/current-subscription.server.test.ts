import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { prices, products, subscriptionStatus, subscriptions } from "#db/schema/billing.ts";
import { createMember, subscribe } from "#tests/support/people.ts";
import { isSubscribed } from "./access.ts";
import { currentSubscription, readSubscription } from "./current-subscription.server.ts";

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

async function find(userId: string) {
  const [row] = await db.execute<{ subscription: Record<string, unknown> }>(
    currentSubscription(sql`${userId}::uuid`),
  );
  return readSubscription(row?.subscription ?? null);
}

const LIVE = ["trialing", "active"];
const ENDS: [string, number, boolean][] = [
  ["in a month", 30 * 24, true],
  ["in a minute", 1 / 60, true],
  ["a minute ago", -1 / 60, true],
  ["almost two days ago", -47.9, true],
  ["two days ago", -48.1, false],
  ["a year ago", -365 * 24, false],
];
const CASES = subscriptionStatus.enumValues.flatMap((status) =>
  ENDS.map(([when, hours, isInTime]) => ({ status, when, hours, opens: LIVE.includes(status) && isInTime })),
);

test.each(CASES)("$status with a period that ends $when opens: $opens", async ({ status, hours, opens }) => {
  const { id } = await createMember();
  await subscribe(id, status, { periodEnd: inHours(hours) });
  const subscription = await find(id);
  expect(subscription?.status).toBe(status);
  expect(isSubscribed({ user: { role: "member" }, subscription })).toBe(opens);
});

test("one that is to end at its period's end opens nothing from then on", async () => {
  for (const [hours, opens] of [
    [1 / 60, true],
    [-1 / 60, false],
  ] as const) {
    const { id } = await createMember();
    const subscriptionId = await subscribe(id, "active", { periodEnd: inHours(hours) });
    await db.update(subscriptions).set({ cancelAtPeriodEnd: true }).where(sql`id = ${subscriptionId}`);
    expect(isSubscribed({ user: { role: "member" }, subscription: await find(id) })).toBe(opens);
  }
});

test("the subscription comes with every field of itself, its price and its product, as the tables hold them", async () => {
  const { id } = await createMember();
  expect(await find(id)).toBeNull();
  await subscribe(id);
  const [row] = await db.select().from(subscriptions).where(sql`user_id = ${id}`);
  const [price] = await db.select().from(prices);
  const [product] = await db.select().from(products);
  expect(await find(id)).toEqual({ ...row, isCurrent: true, price: { ...price, product } });
});

test("of two that are live the one that ends last counts, and a live one before any that ends later", async () => {
  const { id } = await createMember();
  const live = await subscribe(id, "active", { periodEnd: inHours(24) });
  await subscribe(id, "canceled", { periodEnd: inHours(900) });
  await subscribe(id, "active", { periodEnd: inHours(-100) });
  expect((await find(id))?.id).toBe(live);
  const longer = await subscribe(id, "trialing", { periodEnd: inHours(48) });
  expect((await find(id))?.id).toBe(longer);
});

test("nobody has another's subscription", async () => {
  const [subscriber, other] = [await createMember(), await createMember()];
  await subscribe(subscriber.id);
  expect(await find(other.id)).toBeNull();
});
