import type Stripe from "stripe";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listPlans, listUnofferedPrices, MAX_PLANS } from "#app/domain/billing/offers/plans.server.ts";
import { db } from "#db/client.server.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type StripeStandIn, startStripeStandIn } from "#demo/stripe/stand-in.ts";
import { runBillingScript } from "#tests/support/billing/run-script.ts";
import { clientOf } from "#tests/support/billing/stand-in-site.ts";
import { createMember, subscribe } from "#tests/support/people.ts";

let standIn: StripeStandIn;
let stripe: Stripe;

beforeEach(async () => {
  standIn = await startStripeStandIn();
  stripe = clientOf(standIn);
  await db.delete(subscriptions);
  await db.delete(prices);
  await db.delete(products);
});
afterEach(() => standIn.stop());

const sync = (args: string[] = [], env: Record<string, string> = {}) =>
  runBillingScript("billing-sync", standIn, args, env);

async function offerMembership(metadata: Stripe.MetadataParam = {}) {
  const product = await stripe.products.create({
    name: "Membership",
    description: "All of it",
    images: ["https://pictures.example/membership.png"],
    metadata,
  });
  const common = { product: product.id, currency: "usd" };
  const monthly = await stripe.prices.create({
    ...common,
    unit_amount: 1499,
    recurring: { interval: "month", interval_count: 3 },
    nickname: "Quarterly",
    metadata: { trial_period_days: "7" },
  });
  return { product, monthly, common };
}

test("the provider's offer is written word for word, and a second run changes nothing", async () => {
  const { product, monthly } = await offerMembership();
  const dry = await sync(["--dry-run"]);
  expect(dry.lines).toEqual([
    `new  product ${product.id}`,
    `new  price ${monthly.id}`,
    "2 differences; nothing was written.",
  ]);
  expect(await db.select().from(products)).toEqual([]);

  expect((await sync()).lines.at(-1)).toBe("2 differences, all updated.");
  expect(await db.select().from(products)).toEqual([
    {
      id: product.id,
      name: "Membership",
      description: "All of it",
      image: "https://pictures.example/membership.png",
      active: true,
      metadata: {},
    },
  ]);
  expect(await db.select().from(prices)).toEqual([
    {
      id: monthly.id,
      productId: product.id,
      active: true,
      description: "Quarterly",
      currency: "usd",
      unitAmount: 1499,
      interval: "month",
      intervalCount: 3,
      firstPeriod: { days: 7, amount: 0 },
      metadata: { trial_period_days: "7" },
    },
  ]);
  expect((await sync()).lines).toEqual(["Products and prices match the payment provider's."]);
}, 60_000);

test("a price no longer offered is archived and kept for its subscribers", async () => {
  const { product, monthly } = await offerMembership();
  await sync();
  const { id: userId } = await createMember();
  await subscribe(userId);
  await stripe.prices.update(monthly.id, { active: false });
  await stripe.products.update(product.id, { name: "All access" });
  const report = await sync();
  expect(report.lines).toEqual(
    expect.arrayContaining([`changed  product ${product.id}`, `retired  price ${monthly.id}`]),
  );
  expect(await listPlans()).toEqual([]);
  expect((await db.select().from(prices)).map(({ active }) => active)).toEqual([false, false]);
  expect((await db.select().from(products)).find(({ id }) => id === product.id)?.name).toBe("All access");
}, 60_000);

test("prices of another site and prices that cannot be explained are left out with a reason", async () => {
  const { product, monthly, common } = await offerMembership({ site: "localhost" });
  const othersProduct = await stripe.products.create({ name: "Other", metadata: { site: "other.example" } });
  await stripe.prices.create({
    product: othersProduct.id,
    currency: "usd",
    unit_amount: 1,
    recurring: { interval: "month" },
  });
  const once = await stripe.prices.create({ ...common, unit_amount: 500 });
  const odd = await stripe.prices.create({
    ...common,
    unit_amount: 500,
    recurring: { interval: "year" },
    metadata: { trial_period_days: "soon" },
  });
  const packed = await stripe.prices.create({
    ...common,
    unit_amount: 500,
    recurring: { interval: "year" },
    transform_quantity: { divide_by: 10, round: "down" },
  });
  const { lines } = await sync();
  expect([...lines].sort()).toEqual(
    [
      `new  product ${product.id}`,
      `new  price ${monthly.id}`,
      `left out  price ${once.id}: it is paid once`,
      `left out  price ${packed.id}: it is sold in packages`,
      `left out  price ${odd.id}: its trial_period_days is not a number of days`,
      "2 differences, all updated.",
    ].sort(),
  );
  expect((await listPlans()).map(({ priceId }) => priceId)).toEqual([monthly.id]);
}, 60_000);

test("a wrong key, a failing provider and a missing one give one line, write nothing and exit with 1", async () => {
  await offerMembership();
  const wrong = await sync([], { STRIPE_SECRET_KEY: "sk_test_anotherKey" });
  expect(wrong).toMatchObject({
    code: 1,
    stderr: "Stripe rejects the key in STRIPE_SECRET_KEY. Correct it.\n",
  });
  standIn.control.failNext({ status: 500, times: 9 });
  const failing = await sync();
  expect([failing.code, failing.stderr]).toEqual([
    1,
    expect.stringMatching(/^Stripe answered with an error \(500, .+\)\.\n$/),
  ]);
  const none = await sync([], { STRIPE_SECRET_KEY: "" });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("No payment provider is set")]);
  expect((await sync(["--force"])).code).toBe(2);
  expect(await db.select().from(products)).toEqual([]);
}, 60_000);

test("prices beyond the twelve that /subscribe has room for are named, dry or not, until one is archived", async () => {
  const product = await stripe.products.create({ name: "Membership" });
  const make = (amount: number, months = 1) =>
    stripe.prices.create({
      product: product.id,
      currency: "usd",
      unit_amount: amount,
      recurring: { interval: "month", interval_count: months },
    });
  const offered: Stripe.Price[] = [];
  for (let index = 0; index < MAX_PLANS; index += 1) offered.push(await make(1_000 + index));
  // The order is that of the page, not that of the provider.
  const dearest = await make(9_000, 6);
  const dear = await make(9_000, 3);
  const line = ({ id }: Stripe.Price) =>
    `left out  price ${id}: only 12 prices are offered; shorter intervals and lower amounts come first`;
  for (const args of [["--dry-run"], []])
    expect((await sync(args)).lines.filter((text) => text.startsWith("left out"))).toEqual([
      line(dear),
      line(dearest),
    ]);
  expect(await listUnofferedPrices()).toEqual([dear.id, dearest.id]);
  expect(await listPlans()).toHaveLength(MAX_PLANS);
  await stripe.prices.update(offered[3]?.id ?? "", { active: false });
  expect((await sync()).lines).toEqual(expect.arrayContaining([line(dearest)]));
  expect(await listUnofferedPrices()).toEqual([dearest.id]);
});
