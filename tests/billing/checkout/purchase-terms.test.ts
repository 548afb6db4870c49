import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { findPurchaseOutcome } from "#app/domain/billing/checkout/purchase-outcome.server.ts";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { sellingProvider } from "#app/domain/billing/providers/providers.server.ts";
import { reconcileAll } from "#app/domain/billing/sync/reconcile.server.ts";
import { readFetchTime } from "#app/domain/billing/sync/snapshot.server.ts";
import { writeOffer } from "#app/domain/billing/sync/write-offer.server.ts";
import { log } from "#app/log.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { invoices } from "#db/schema/invoices.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

const lines: unknown[] = [];
for (const level of ["info", "warn"] as const) {
  vi.spyOn(log, level).mockImplementation((facts: unknown) => void lines.push(facts));
}
beforeEach(async () => {
  control.webhooks({});
  await shop.settled();
  lines.length = 0;
});

/** A buyer who has agreed to a price and has not paid yet. */
async function begin(priceId = shop.monthly.id) {
  const payer = await shop.createPayer();
  const start = await startCheckout(await purchaseOf(payer, priceId));
  if (start.kind !== "page") throw new Error("There is no page");
  const [row] = await db.select().from(checkouts).where(eq(checkouts.userId, payer.id));
  return { payer, url: start.url, checkoutId: row?.id ?? "" };
}

const subscriptionsOf = (userId: string) =>
  db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
const invoicesOf = (userId: string) => db.select().from(invoices).where(eq(invoices.userId, userId));

test.each<[string, Partial<typeof checkouts.$inferInsert>]>([
  ["another sum", { unitAmount: 999 }],
  ["another currency", { currency: "eur" }],
  ["another price", { priceId: shop.yearly.id }],
])("a sale for %s than the purchase terms gives no access, and is reported", async (_, terms) => {
  const { payer, url, checkoutId } = await begin();
  await db.update(checkouts).set(terms).where(eq(checkouts.id, checkoutId));
  await submit(url, { card: "4242" });
  await shop.settled();
  expect(await subscriptionsOf(payer.id)).toEqual([]);
  expect(await invoicesOf(payer.id)).toEqual([]);
  expect(await db.select().from(checkouts).where(eq(checkouts.id, checkoutId))).toMatchObject([
    { status: "open", subscriptionId: null },
  ]);
  const events = await db.select().from(billingEvents).where(eq(billingEvents.customerId, payer.customerId));
  const outcomes = Object.fromEntries(events.map(({ type, outcome }) => [type, outcome]));
  expect(outcomes).toMatchObject({
    "checkout.session.completed": "mismatch",
    "customer.subscription.created": "mismatch",
    "invoice.paid": "mismatch",
  });
  const ids = events.filter(({ outcome }) => outcome === "mismatch").map(({ id }) => id);
  const warned = lines.filter((line) => (line as { outcome?: string }).outcome === "mismatch");
  expect(warned.map((line) => (line as { eventId: string }).eventId).sort()).toEqual(ids.sort());
  expect(JSON.stringify(lines)).not.toContain("@");

  const compared = await reconcileAll({ isDryRun: true });
  const own = compared?.people.find(({ userId }) => userId === payer.id);
  expect(
    own?.differences
      .filter(({ what }) => what === "mismatch")
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(["checkout", "subscription"]);
  expect(await findPurchaseOutcome(payer.id, checkoutId)).toEqual({ kind: "mismatch" });
  expect(await subscriptionsOf(payer.id)).toEqual([]);
  const page = () =>
    shop.site.fetch(paths.subscribeReturn(checkoutId), { headers: { cookie: payer.cookie } });
  const html = await (await page()).text();
  expect(html).toContain("mailto:contact@example.com");
  expect(html).not.toMatch(/not charged|Continue to payment/);
  // The limited page does not offer payment or deny the charge either.
  const isLimited = async () => (await takePoint("returnsByUser", payer.id)) !== null;
  await expect.poll(isLimited, { interval: 1 }).toBe(true);
  for (const status of ["open", "expired", "replaced"] as const) {
    await db.update(checkouts).set({ status }).where(eq(checkouts.id, checkoutId));
    expect(await findPurchaseOutcome(payer.id, checkoutId)).toEqual({ kind: "rateLimited" });
  }
  const limited = await page();
  expect(limited.headers.get("refresh")).toMatch(/^2; url=/);
  expect(await limited.text()).not.toMatch(/not charged|Continue to payment/);
});

test("a discount changes the payment, not the purchase terms", async () => {
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: "once" });
  await stripe.promotionCodes.create({ code: "FIFTH", promotion: { type: "coupon", coupon: coupon.id } });
  const { payer, url } = await begin();
  await submit(url, { intent: "promotion", promotion_code: "FIFTH" });
  await submit(url, { card: "4242" });
  await shop.settled();
  expect(await subscriptionsOf(payer.id)).toMatchObject([{ status: "active" }]);
  expect(await invoicesOf(payer.id)).toMatchObject([{ status: "paid", amountPaid: 1199 }]);
});

function priceInTwoCurrencies() {
  return stripe.prices.create({
    product: shop.product.id,
    currency: "usd",
    unit_amount: 1499,
    currency_options: { eur: { unit_amount: 1399 } },
    recurring: { interval: "month" },
  });
}

test("a price with other currencies is sold in the currency of the purchase terms", async () => {
  const price = await priceInTwoCurrencies();
  await shop.settled();
  const common = { mode: "subscription", success_url: "http://localhost/thanks" } as const;
  const line_items = [{ price: price.id }];
  // Without a requested currency, the stand-in treats every buyer as being abroad.
  const abroad = await stripe.checkout.sessions.create({ ...common, line_items });
  expect(abroad).toMatchObject({ currency: "eur", amount_total: 1399 });
  await expect(
    stripe.checkout.sessions.create({ ...common, line_items, currency: "gbp" }),
  ).rejects.toMatchObject({ param: "currency" });

  const { payer, url } = await begin(price.id);
  const { data } = await stripe.checkout.sessions.list({ customer: payer.customerId });
  expect(data).toMatchObject([{ currency: "usd", amount_total: 1499 }]);
  await submit(url, { card: "4242" });
  await shop.settled();
  expect(await subscriptionsOf(payer.id)).toMatchObject([{ status: "active", priceId: price.id }]);
  await stripe.prices.update(price.id, { active: false });
});

test("a subscription in another currency of the same price differs from the purchase terms", async () => {
  const price = await priceInTwoCurrencies();
  const { id } = await stripe.checkout.sessions.create({
    mode: "subscription",
    success_url: "http://localhost/thanks",
    line_items: [{ price: price.id }],
    currency: "eur",
  });
  const checkout = await sellingProvider()?.readCheckout(id);
  expect(checkout?.sold).toMatchObject([{ priceId: price.id, currency: "eur" }]);

  // Its sum would be shown in the price's own currency, so one that was not sold here is not taken over.
  const payer = await shop.createPayer();
  const bought = await shop.buy(payer, { price: price.id });
  expect((await stripe.subscriptions.retrieve(bought)).currency).toBe("eur");
  const [invoice] = (await stripe.invoices.list({ subscription: bought })).data;
  expect(invoice).toMatchObject({ currency: "eur", amount_paid: 1399 });
  await shop.settled();
  expect(await subscriptionsOf(payer.id)).toEqual([]);
  await stripe.prices.update(price.id, { active: false });
});

test("a plan changed before the event of the purchase arrived is accepted", async () => {
  control.webhooks({ mode: "drop" });
  const { payer, url } = await begin();
  await submit(url, { card: "4242" });
  const [bought] = (await stripe.subscriptions.list({ customer: payer.customerId })).data;
  const items = [{ id: bought?.items.data[0]?.id, price: shop.yearly.id }];
  await stripe.subscriptions.update(bought?.id ?? "", { items, proration_behavior: "none" });
  await reconcileAll({ isDryRun: false });
  expect(await subscriptionsOf(payer.id)).toMatchObject([{ status: "active", priceId: shop.yearly.id }]);
});

test("a product or a price that is moved to another site is archived here", async () => {
  const product = await stripe.products.create({ name: "Silver" });
  const common = { product: product.id, currency: "usd", recurring: { interval: "month" as const } };
  const [moved, left] = [
    await stripe.prices.create({ ...common, unit_amount: 700 }),
    await stripe.prices.create({ ...common, unit_amount: 800 }),
  ];
  await shop.settled();
  const isActive = async () =>
    [
      ...(await db.select().from(products).where(eq(products.id, product.id))),
      ...(await db.select().from(prices).where(eq(prices.id, moved.id))),
      ...(await db.select().from(prices).where(eq(prices.id, left.id))),
    ].map(({ active }) => active);
  expect(await isActive()).toEqual([true, true, true]);
  await stripe.prices.update(moved.id, { metadata: { site: "other.example" } });
  await shop.settled();
  expect(await isActive()).toEqual([true, false, true]);
  await stripe.products.update(product.id, { metadata: { site: "other.example" } });
  await shop.settled();
  expect(await isActive()).toEqual([false, false, false]);
  // The product now belongs to another site, and its events are not stored.
  const before = await db.$count(billingEvents);
  await stripe.products.update(product.id, { name: "Theirs" });
  await shop.settled();
  expect(await db.$count(billingEvents)).toBe(before);
});

test("a late response does not restore an old price", async () => {
  const price = await stripe.prices.create({
    product: shop.product.id,
    currency: "usd",
    unit_amount: 900,
    recurring: { interval: "month" },
  });
  await shop.settled();
  const isForSale = async () =>
    (await db.select().from(prices).where(eq(prices.id, price.id))).map(({ active }) => active);
  const fetchedAt = await readFetchTime();
  const old = await sellingProvider()?.readOffer();
  if (!old) throw new Error("Nobody takes payments");
  await stripe.prices.update(price.id, { active: false });
  await shop.settled();
  expect(await isForSale()).toEqual([false]);
  const write = (at: typeof fetchedAt) => db.transaction((tx) => writeOffer(tx, old, at));
  expect(await write(fetchedAt)).toEqual([]);
  expect(await isForSale()).toEqual([false]);
  // An identical response to a later call is valid.
  expect(await write(await readFetchTime())).toMatchObject([
    { kind: "price", id: price.id, what: "changed" },
  ]);
  expect(await isForSale()).toEqual([true]);
});
