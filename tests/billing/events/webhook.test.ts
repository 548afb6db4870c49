import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { customers } from "#db/schema/customers.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";

const shop = await startPaidSite();
const { stripe } = shop;
afterAll(() => shop.stop());

const rowsOf = (userId: string) => db.select().from(subscriptions).where(eq(subscriptions.userId, userId));

test("the card is stored with its owner, and deleted with the customer", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  const cardOf = async () => (await db.select().from(users).where(eq(users.id, payer.id)))[0];
  expect(await cardOf()).toMatchObject({
    billing_method: "charge_automatically",
    payment_method: { last4: "4242", expMonth: expect.any(Number), expYear: expect.any(Number) },
  });
  await stripe.customers.del(payer.customerId);
  await shop.settled();
  expect(await db.select().from(customers).where(eq(customers.userId, payer.id))).toEqual([]);
  expect(await cardOf()).toMatchObject({ billing_method: null, payment_method: null });
  expect(await rowsOf(payer.id)).toMatchObject([{ id, status: "canceled" }]);
});

test("the offer follows the provider, and a price once sold is never removed", async () => {
  const product = await stripe.products.create({ name: "Gold" });
  const price = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 2999,
    recurring: { interval: "month" },
  });
  await shop.settled();
  const offered = async () => [
    ...(await db.select().from(products).where(eq(products.id, product.id))),
    ...(await db.select().from(prices).where(eq(prices.id, price.id))),
  ];
  expect(await offered()).toMatchObject([
    { name: "Gold", active: true },
    { unitAmount: 2999, active: true },
  ]);
  await stripe.prices.update(price.id, { active: false });
  await stripe.products.update(product.id, { active: false });
  await shop.settled();
  expect(await offered()).toMatchObject([{ active: false }, { active: false }]);
});
