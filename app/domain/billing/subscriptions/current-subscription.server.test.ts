import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { isSubscribed } from "#app/domain/access/access.ts";
import { db } from "#db/client.server.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptionStatus, subscriptions } from "#db/schema/subscriptions.ts";
import { createMember, subscribe } from "#tests/support/people.ts";
import { currentSubscription, hasAccess, subscriptionFromJson } from "./current-subscription.server.ts";
import type { PeriodOptions } from "./days-of-grace.server.ts";

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

async function find(userId: string, options: PeriodOptions = {}) {
  const [row] = await db.execute<{ subscription: Record<string, unknown> }>(
    currentSubscription(sql`${userId}::uuid`, options),
  );
  return subscriptionFromJson(row?.subscription ?? null);
}

async function findHasAccess(userId: string, graceDays: number) {
  const [row] = await db.execute<{ opens: boolean }>(
    sql`SELECT ${hasAccess(sql`${userId}::uuid`, { graceDays })} AS opens`,
  );
  return row?.opens;
}

const LIVE = ["trialing", "active"];
/** Hours from now; whether a paid subscription gives access when it renews, and when it is canceled. */
const ENDS: [when: string, hours: number, goesOn: boolean, isToEnd: boolean][] = [
  ["in a month", 30 * 24, true, true],
  ["in five minutes", 1 / 12, true, true],
  ["five minutes ago", -1 / 12, true, false],
  ["almost two days ago", -47.9, true, false],
  ["two days ago", -48.1, false, false],
  ["a year ago", -365 * 24, false, false],
];
/** Hours from now; whether an overdue subscription gives access, by the days of grace. */
const STARTS: [when: string, hours: number, byGrace: Record<0 | 3, boolean>][] = [
  ["in a day", 24, { 0: false, 3: true }],
  ["five minutes ago", -1 / 12, { 0: false, 3: true }],
  ["almost three days ago", -71.9, { 0: false, 3: true }],
  ["three days ago", -72.1, { 0: false, 3: false }],
  ["a month ago", -30 * 24, { 0: false, 3: false }],
];
const DATES = ENDS.flatMap(([ends, endHours, goesOn, isToEnd]) =>
  STARTS.flatMap(([begun, startHours, byGrace]) =>
    [false, true].map((cancelAtPeriodEnd) => ({
      words: `begun ${begun}, ends ${ends}${cancelAtPeriodEnd ? " for good" : ""}`,
      periodEnd: inHours(endHours),
      currentPeriodStart: inHours(startHours),
      cancelAtPeriodEnd,
      paid: cancelAtPeriodEnd ? isToEnd : goesOn,
      byGrace,
    })),
  ),
);
const GRACES = [0, 3] as const;

test.each(subscriptionStatus.enumValues)(
  "%s gives access by its dates and the days of grace as in the table",
  async (status) => {
    const people = await Promise.all(DATES.map(() => createMember()));
    for (const [index, { words: _, periodEnd, paid: __, byGrace: ___, ...dates }] of DATES.entries()) {
      const id = await subscribe(people[index]?.id ?? "", status, { periodEnd });
      await db.update(subscriptions).set(dates).where(eq(subscriptions.id, id));
    }
    for (const grace of GRACES) {
      const found = await Promise.all(people.map(({ id }) => find(id, { graceDays: grace })));
      const opens = found.map((subscription, index) => {
        const isOpen = isSubscribed({ user: { role: "member" }, subscription });
        return `${subscription?.status}, ${DATES[index]?.words}, ${grace} days: ${isOpen}`;
      });
      const table = DATES.map(({ words, paid, byGrace }) => {
        const isOpen = status === "past_due" ? byGrace[grace] : LIVE.includes(status) && paid;
        return `${status}, ${words}, ${grace} days: ${isOpen}`;
      });
      expect(opens).toEqual(table);
      const has = await Promise.all(people.map(({ id }) => findHasAccess(id, grace)));
      expect(has).toEqual(table.map((line) => line.endsWith("true")));
    }
  },
);

test("without the host's setting there is no grace", async () => {
  const { id } = await createMember();
  await subscribe(id, "past_due");
  expect(await find(id)).toMatchObject({ status: "past_due", isCurrent: false });
});

test("the subscription comes with every field of itself, its price and its product, as the tables hold them", async () => {
  const { id } = await createMember();
  expect(await find(id)).toBeNull();
  await subscribe(id);
  const [row] = await db.select().from(subscriptions).where(sql`user_id = ${id}`);
  const [price] = await db.select().from(prices);
  const [product] = await db.select().from(products);
  expect(await find(id)).toEqual({
    ...row,
    isCurrent: true,
    hasPaid: false,
    state: "running",
    price: { ...price, product },
  });
});

test("of several subscriptions with access, the one that ends last counts, even if one without access ends later", async () => {
  const { id } = await createMember();
  const live = await subscribe(id, "active", { periodEnd: inHours(24) });
  await subscribe(id, "canceled", { periodEnd: inHours(900) });
  await subscribe(id, "active", { periodEnd: inHours(-100) });
  expect((await find(id))?.id).toBe(live);
  const longer = await subscribe(id, "trialing", { periodEnd: inHours(48) });
  expect((await find(id))?.id).toBe(longer);
});

test("of two that end together, the one that goes on counts", async () => {
  const { id } = await createMember();
  const periodEnd = inHours(24);
  const live = await subscribe(id, "active", { periodEnd });
  const canceled = await subscribe(id, "active", { periodEnd });
  await db.update(subscriptions).set({ cancelAtPeriodEnd: true }).where(sql`id = ${canceled}`);
  expect((await find(id))?.id).toBe(live);
});

test("a subscription that needs action counts before one that is over and lasted longer", async () => {
  for (const status of ["past_due", "unpaid", "paused", "incomplete"] as const) {
    const { id } = await createMember();
    const open = await subscribe(id, status, { periodEnd: inHours(24) });
    await subscribe(id, "canceled", { periodEnd: inHours(900) });
    const toEnd = await subscribe(id, "active", { periodEnd: inHours(-1) });
    await db.update(subscriptions).set({ cancelAtPeriodEnd: true }).where(sql`id = ${toEnd}`);
    expect((await find(id))?.id).toBe(open);
  }
});

test("a subscription unknown to the provider gives access for its paid period only, and counts after any known one", async () => {
  const { id } = await createMember();
  const unknown = await subscribe(id, "active", { periodEnd: inHours(900) });
  await db.update(subscriptions).set({ unknownSince: new Date() }).where(eq(subscriptions.id, unknown));
  expect(await find(id)).toMatchObject({ id: unknown, isCurrent: true });
  const overdue = await subscribe(id, "past_due", { periodEnd: inHours(900) });
  expect((await find(id))?.id).toBe(unknown);
  const month = await subscribe(id, "active", { periodEnd: inHours(24) });
  expect((await find(id))?.id).toBe(month);
  await db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.id, month));
  const past = { currentPeriodEnd: inHours(-1) };
  await db.update(subscriptions).set(past).where(eq(subscriptions.id, unknown));
  expect((await find(id))?.id).toBe(overdue);
  await db.delete(subscriptions).where(eq(subscriptions.id, overdue));
  const alone = await createMember();
  await db.update(subscriptions).set({ userId: alone.id }).where(eq(subscriptions.id, unknown));
  expect(await find(alone.id)).toMatchObject({ id: unknown, isCurrent: false });
});

test("a person never gets another person's subscription", async () => {
  const [subscriber, other] = [await createMember(), await createMember()];
  await subscribe(subscriber.id);
  expect(await find(other.id)).toBeNull();
});
