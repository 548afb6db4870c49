import { eq } from "drizzle-orm";
import type Stripe from "stripe";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { log } from "#app/log.server.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { invoices } from "#db/schema/invoices.ts";
import { prices } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";

const CANARY = "canary@example.com";

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

const outcomes: unknown[] = [];
for (const level of ["info", "warn"] as const) {
  vi.spyOn(log, level).mockImplementation((facts: unknown) => void outcomes.push(facts));
}
beforeEach(async () => {
  await shop.settled();
  outcomes.length = 0;
});

/** The logged outcomes of the jobs for recent events. */
function loggedOutcomes() {
  return (outcomes as { eventId?: string; outcome?: string }[]).filter(
    ({ outcome }) => outcome !== undefined,
  );
}

const bought = () => db.select().from(subscriptions);
const billed = () => db.select().from(invoices);

test("an unknown customer belongs to another site and has no effect", async () => {
  const before = [await bought(), await billed()];
  const customer = await stripe.customers.create({ email: CANARY, metadata: { site: "other.example" } });
  const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: customer.id });
  const { id } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: shop.monthly.id }],
    default_payment_method: card.id,
  });
  control.dispute(id);
  await shop.settled();
  expect([await bought(), await billed()]).toEqual(before);
  // The other site's disputed subscription is not ended at the provider either.
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
  const events = await db.select().from(billingEvents).where(eq(billingEvents.outcome, "otherSite"));
  expect(events.length).toBeGreaterThan(2);
  expect(
    loggedOutcomes()
      .map(({ eventId }) => eventId)
      .sort(),
  ).toEqual(events.map(({ id: eventId }) => eventId).sort());
  expect(JSON.stringify(outcomes)).not.toContain(CANARY);
});

test.each<[string, () => Promise<Stripe.SubscriptionCreateParams.Item>]>([
  ["bought twice at once", async () => ({ price: shop.monthly.id, quantity: 2 })],
  [
    "of another site's product",
    async () => {
      const product = await stripe.products.create({ name: "Theirs", metadata: { site: "other.example" } });
      return { price: await priceOf(product.id) };
    },
  ],
  [
    "for another amount than we know",
    async () => {
      const price = await priceOf(shop.product.id);
      await shop.settled();
      await db.update(prices).set({ unitAmount: 100 }).where(eq(prices.id, price));
      outcomes.length = 0;
      return { price };
    },
  ],
])("a subscription %s gives no access and is reported in one line", async (_, item) => {
  const buyer = await shop.createPayer(undefined);
  const wanted = await item();
  const before = [await bought(), await billed()];
  const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: buyer.customerId });
  const { id } = await stripe.subscriptions.create({
    customer: buyer.customerId,
    items: [wanted],
    default_payment_method: card.id,
  });
  await shop.settled();
  expect([await bought(), await billed()]).toEqual(before);
  const events = await db.select().from(billingEvents).where(eq(billingEvents.subjectId, id));
  expect(new Set(events.map(({ outcome }) => outcome))).toEqual(new Set(["mismatch"]));
  const ids = events.map(({ id: eventId }) => eventId);
  const lines = loggedOutcomes().filter(({ eventId = "" }) => ids.includes(eventId));
  expect(lines).toHaveLength(ids.length);
  expect(new Set(lines.map(({ outcome }) => outcome))).toEqual(new Set(["mismatch"]));
  expect(JSON.stringify(outcomes)).not.toMatch(/@|Theirs/);
});

test("a new price is stored with its product", async () => {
  control.webhooks({ mode: "drop" });
  const price = await priceOf((await stripe.products.create({ name: "Gold" })).id);
  control.webhooks({});
  const buyer = await shop.createPayer();
  const id = await shop.buy(buyer, { price });
  await shop.settled();
  const own = () => db.select().from(subscriptions).where(eq(subscriptions.id, id));
  expect(await own()).toMatchObject([{ status: "active", priceId: price }]);
});

test("a subscription that the host changed continues as charged, can be canceled, and is reported", async () => {
  const buyer = await shop.createPayer();
  const id = await shop.buy(buyer);
  await shop.settled();
  const own = async () => (await db.select().from(subscriptions).where(eq(subscriptions.id, id))).at(0);
  const before = await own();
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
  outcomes.length = 0;
  await stripe.subscriptions.update(id, { items: [{ id: item?.id, quantity: 3 }] });
  await shop.settled();
  expect(loggedOutcomes()).toMatchObject([{ outcome: "mismatch" }]);
  await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
  const uncollected = { kind: "subscription", id, what: "uncollected" };
  expect(await refreshCustomer(buyer.id)).toContainEqual(uncollected);
  await stripe.subscriptions.update(id, { pause_collection: "" });
  await control.advance(32 * 86_400);
  await shop.settled();
  const renewed = await own();
  expect(renewed).toMatchObject({ status: "active", quantity: 1, priceId: shop.monthly.id });
  expect(renewed?.currentPeriodStart).toEqual(before?.currentPeriodEnd);
  const bills = await db.select().from(invoices).where(eq(invoices.subscriptionId, id));
  expect(bills.map(({ status }) => status)).toEqual(["paid", "paid"]);
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await shop.settled();
  expect(await own()).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  const theirs = await stripe.products.create({ name: "Theirs", metadata: { site: "other.example" } });
  await stripe.subscriptions.update(id, { items: [{ id: item?.id, price: await priceOf(theirs.id) }] });
  await stripe.subscriptions.update(id, { cancel_at_period_end: false });
  await shop.settled();
  expect(await own()).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  await stripe.subscriptions.cancel(id);
  await shop.settled();
  expect(await own()).toMatchObject({ status: "canceled", quantity: 1, priceId: shop.monthly.id });
});

async function priceOf(product: string): Promise<string> {
  const recurring = { interval: "month" as const };
  return (await stripe.prices.create({ product, currency: "usd", unit_amount: 999, recurring })).id;
}
