import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { prices, products } from "#db/schema/prices.ts";
import { listPlans, monthlyAmount } from "./plans.server.ts";

test("a month's price is found for every interval", () => {
  expect(monthlyAmount({ currency: "usd", amount: 1500, interval: "month", intervalCount: 1 })).toBe(1500);
  expect(monthlyAmount({ currency: "usd", amount: 3600, interval: "month", intervalCount: 3 })).toBe(1200);
  expect(monthlyAmount({ currency: "usd", amount: 12_000, interval: "year", intervalCount: 1 })).toBe(1000);
  expect(monthlyAmount({ currency: "usd", amount: 500, interval: "week", intervalCount: 1 })).toBe(2174);
  expect(monthlyAmount({ currency: "usd", amount: 100, interval: "day", intervalCount: 1 })).toBe(3044);
  expect(monthlyAmount({ currency: "isk", amount: 1_000_000, interval: "year", intervalCount: 1 })).toBe(
    83_300,
  );
  expect(monthlyAmount({ currency: "jpy", amount: 10_000, interval: "year", intervalCount: 1 })).toBe(833);
});

test("nothing is offered before there is an active price of an active product", async () => {
  expect(await listPlans()).toEqual([]);
  await db.insert(products).values([
    { id: "prod_a", name: "Membership" },
    { id: "prod_old", name: "Old", active: false },
  ]);
  const price = { productId: "prod_a", currency: "eur", interval: "month" as const };
  await db.insert(prices).values([
    { ...price, id: "p_year", unitAmount: 12_000, interval: "year" },
    { ...price, id: "p_month", unitAmount: 1500, firstPeriod: { days: 7, amount: 0 } },
    { ...price, id: "p_gone", unitAmount: 1, active: false },
    { ...price, id: "p_old", unitAmount: 1, productId: "prod_old" },
  ]);
  expect(await listPlans()).toMatchObject([
    { priceId: "p_month", amount: 1500, monthly: 1500, saving: 0, firstPeriod: { days: 7, amount: 0 } },
    { priceId: "p_year", amount: 12_000, monthly: 1000, saving: expect.closeTo(1 / 3) },
  ]);
});

test("the saving is compared to plans of the same product in the same currency", async () => {
  await db.insert(products).values([
    { id: "prod_small", name: "Small" },
    { id: "prod_large", name: "Large" },
  ]);
  const month = { interval: "month" as const };
  await db.insert(prices).values([
    { ...month, id: "small_month", productId: "prod_small", currency: "usd", unitAmount: 500 },
    { id: "small_year", productId: "prod_small", currency: "usd", unitAmount: 4_800, interval: "year" },
    { ...month, id: "small_euro", productId: "prod_small", currency: "eur", unitAmount: 450 },
    { ...month, id: "large_month", productId: "prod_large", currency: "usd", unitAmount: 5_000 },
  ]);
  const savings = Object.fromEntries((await listPlans()).map(({ priceId, saving }) => [priceId, saving]));
  expect(savings).toMatchObject({ small_month: 0, small_euro: 0, large_month: 0 });
  expect(savings.small_year).toBeCloseTo(0.2);
});
