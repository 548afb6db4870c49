import { and, eq, ne } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { prices, products } from "#db/schema/prices.ts";
import { auditLog } from "#db/schema/staff.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { sellOwnPrices } from "#tests/support/billing/own-prices.ts";
import { createMember, subscribe } from "#tests/support/people.ts";
import { syncOffer } from "../sync/write-offer.server.ts";
import { addPrice, endPrice, listPrices } from "./own-prices.server.ts";
import { listPlans, MAX_PLANS } from "./plans.server.ts";
import type { PriceTexts } from "./price-texts.ts";

const OWNER: Actor = { id: null, name: "billing:price", role: "owner" };
const EDITOR: Actor = { id: crypto.randomUUID(), name: "ada@example.com", role: "editor" };
const PRICE: PriceTexts = {
  ...{ plan: "Membership", amount: "9.99", currency: "USD", days: "30" },
  ...{ firstDays: "", firstAmount: "" },
};

const add = (change: Partial<PriceTexts> = {}) => addPrice(OWNER, { ...PRICE, ...change });

async function added(change: Partial<PriceTexts> = {}) {
  const result = await add(change);
  if ("errors" in result) throw new Error(JSON.stringify(result.errors));
  return result.added;
}

let stop: () => void;
beforeEach(async () => {
  stop = sellOwnPrices(({ renewal }) => (renewal?.intervalCount === 31 ? "its period is not 30 days" : null));
  await db.delete(subscriptions);
  await db.update(prices).set({ active: false });
});
afterEach(() => stop());

test("an added price is on sale in the words of its owner, and the same plan holds several", async () => {
  await added();
  await added({ plan: " membership ", days: "90", amount: "24.5", firstDays: "3", firstAmount: "2.95" });
  expect(await listPlans()).toMatchObject([
    {
      name: "Membership",
      amount: 999,
      currency: "usd",
      interval: "day",
      intervalCount: 30,
      firstPeriod: null,
    },
    { name: "Membership", amount: 2450, intervalCount: 90, firstPeriod: { days: 3, amount: 295 } },
  ]);
  expect(await db.$count(products, eq(products.name, "Membership"))).toBe(1);
});

test("what the provider cannot sell is refused where it is made, in the provider's words", async () => {
  expect(await add({ days: "31" })).toEqual({
    errors: { form: "The payment provider cannot sell this price: its period is not 30 days." },
  });
  expect(await listPlans()).toEqual([]);
});

test.each<[Partial<PriceTexts>, keyof PriceTexts]>([
  [{ plan: " " }, "plan"],
  [{ plan: "a".repeat(101) }, "plan"],
  [{ plan: "evil \u202e twin" }, "plan"],
  [{ amount: "" }, "amount"],
  [{ amount: "0" }, "amount"],
  [{ amount: "9,99" }, "amount"],
  [{ amount: "9.999" }, "amount"],
  [{ amount: "-1" }, "amount"],
  [{ amount: "1e3" }, "amount"],
  [{ amount: "9.5", currency: "JPY" }, "amount"],
  [{ currency: "dollar" }, "currency"],
  [{ currency: "XYZ" }, "currency"],
  [{ days: "0" }, "days"],
  [{ days: "30.5" }, "days"],
  [{ days: "731" }, "days"],
  [{ firstAmount: "2.95" }, "firstDays"],
  [{ firstDays: "3" }, "firstAmount"],
])("%j is refused beside its field", async (change, field) => {
  const result = await add(change);
  expect(Object.keys("errors" in result ? result.errors : {})).toEqual([field]);
  expect(await listPlans()).toEqual([]);
});

test("an ended price is not sold, its subscribers keep it, and it can be made anew with an id of its own", async () => {
  const { id } = await added();
  const { id: userId } = await createMember();
  const subscription = await subscribe(userId);
  await db.update(subscriptions).set({ priceId: id }).where(eq(subscriptions.id, subscription));
  await db.update(prices).set({ active: false }).where(ne(prices.id, id));
  expect(await endPrice(OWNER, id)).toMatchObject({ ended: { id } });
  expect(await listPlans()).toEqual([]);
  const listed = { id, isOnSale: false, subscribers: 1 };
  expect(await listPrices()).toMatchObject([{ ...listed, isPrepaid: false }]);
  await db.update(subscriptions).set({ isPrepaid: true });
  expect(await listPrices()).toMatchObject([{ ...listed, isPrepaid: true }]);
  expect(await endPrice(OWNER, id)).toEqual({ error: "This price is not on sale any more." });
  expect((await added()).id).not.toBe(id);
});

test("of two owners who add the same price at once, one is told that it is on sale", async () => {
  const results = await Promise.all([add(), add(), add()]);
  expect(results.filter((result) => "added" in result)).toHaveLength(1);
  expect(results.filter((result) => "errors" in result)[0]).toEqual({
    errors: { form: "This price is already on sale." },
  });
});

test("no price is added for which the page that sells them has no room", async () => {
  for (let amount = 1; amount <= MAX_PLANS; amount += 1) await added({ amount: String(amount) });
  expect(await add({ amount: "99" })).toMatchObject({ errors: { form: expect.stringMatching(/^Up to 12/) } });
});

test("each change is in the audit log, and only an owner makes one", async () => {
  const { id } = await added();
  await endPrice(OWNER, id);
  const isAbout = and(eq(auditLog.subjectKind, "price"), eq(auditLog.subjectId, id));
  const entries = await db.select().from(auditLog).where(isAbout).orderBy(auditLog.id);
  expect(entries.map(({ action, subjectName }) => [action, subjectName])).toEqual([
    ["price.added", "Membership, $9.99 every 30 days"],
    ["price.ended", "Membership, $9.99 every 30 days"],
  ]);
  expect(await addPrice(EDITOR, PRICE)).toEqual({ errors: { form: "Only an owner can change prices." } });
  expect(await endPrice(EDITOR, id)).toEqual({ error: "Only an owner can change prices." });
});

test("a fetch of an offer leaves these prices alone, and without a seller none is made", async () => {
  await added();
  expect(await syncOffer({ isDryRun: false })).toBeNull();
  expect(await listPlans()).toHaveLength(1);
  stop();
  expect(await add({ amount: "5" })).toMatchObject({
    errors: { form: expect.stringMatching(/^Prices are made/) },
  });
});

test("a price of a former provider is listed with the reason why it cannot be sold", async () => {
  const price = await added();
  await db.update(prices).set({ intervalCount: 31 }).where(eq(prices.id, price.id));
  expect(await listPrices()).toMatchObject([{ id: price.id, unfit: "its period is not 30 days" }]);
});
