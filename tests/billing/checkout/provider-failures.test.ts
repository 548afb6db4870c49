import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Purchase, startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import { isProviderUnreachable } from "#app/domain/billing/providers/providers.server.ts";
import { syncOffer } from "#app/domain/billing/sync/write-offer.server.ts";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { providerState, rowsOf, urlOf } from "#tests/support/billing/checkout-state.ts";
import { newPurchase, openShop, purchaseOf, YEARLY } from "#tests/support/billing/shop.ts";
import { createMember } from "#tests/support/people.ts";

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const providerHas = (purchase: Purchase) => providerState(shop.stripe, purchase);

describe("a provider", () => {
  const SESSIONS = "/v1/checkout/sessions";

  test.each([
    ["fails before making the customer", { pathIncludes: "/v1/customers" }],
    ["fails after making the customer", { pathIncludes: "/v1/customers", afterEffect: true }],
    ["fails before making the page", { pathIncludes: SESSIONS }],
    ["fails after making the page", { pathIncludes: SESSIONS, afterEffect: true }],
  ])(
    "that %s is called again under the same key, and makes one of each",
    async (_, order) => {
      const purchase = await newPurchase();
      // The client makes this many attempts by itself.
      shop.standIn.control.failNext({ status: 500, times: 3, ...order });
      await expect(startCheckout(purchase)).rejects.toSatisfy(isProviderUnreachable);
      const [row] = await rowsOf(purchase);
      expect(row).toMatchObject({ status: "open", providerCheckoutId: null });
      const url = urlOf(await startCheckout(purchase));
      expect(await providerHas(purchase)).toEqual({ customers: 1, open: [url], sessions: 1 });
      expect(await rowsOf(purchase)).toMatchObject([{ id: row?.id, url }]);
    },
    30_000,
  );

  test("that refuses a reused key gets a new key once the row has expired", async () => {
    const purchase = await newPurchase();
    shop.standIn.control.failNext({ status: 500, times: 3, pathIncludes: SESSIONS, afterEffect: true });
    await expect(startCheckout(purchase)).rejects.toSatisfy(isProviderUnreachable);
    // The order changes, as when the host has moved the site to another address.
    await db
      .update(checkouts)
      .set({ firstPeriod: { days: 3, amount: 0 } })
      .where(eq(checkouts.userId, purchase.userId));
    await expect(startCheckout(purchase)).rejects.toSatisfy(isProviderUnreachable);
    expect(await rowsOf(purchase)).toMatchObject([{ status: "open" }]);
    const longAgo = { createdAt: sql`now() - interval '11 minutes'` };
    await db.update(checkouts).set(longAgo).where(eq(checkouts.userId, purchase.userId));
    await expect(startCheckout(purchase)).rejects.toSatisfy(isProviderUnreachable);
    const url = urlOf(await startCheckout(purchase));
    expect(await rowsOf(purchase)).toMatchObject([{ status: "expired" }, { status: "open", url }]);
  }, 30_000);

  test("has its page closed when its response was lost and another plan is chosen", async () => {
    const member = await createMember();
    const [monthly, yearly] = [await purchaseOf(member), await purchaseOf(member, YEARLY)];
    shop.standIn.control.failNext({ status: 500, times: 3, pathIncludes: SESSIONS, afterEffect: true });
    await expect(startCheckout(monthly)).rejects.toSatisfy(isProviderUnreachable);
    const url = urlOf(await startCheckout(yearly));
    expect(await providerHas(monthly)).toEqual({ customers: 1, open: [url], sessions: 2 });
  }, 30_000);

  test("makes another customer, once, when the host deleted the first", async () => {
    const purchase = await newPurchase();
    await startCheckout(purchase);
    const [first] = await db.select().from(customers).where(eq(customers.userId, purchase.userId));
    await shop.stripe.customers.del(first?.providerCustomerId ?? "");
    await db.update(checkouts).set({ status: "expired" }).where(eq(checkouts.userId, purchase.userId));
    const starts = await Promise.all([1, 2, 3].map(() => startCheckout(purchase)));
    expect(new Set(starts.map(urlOf)).size).toBe(1);
    const [second] = await db.select().from(customers).where(eq(customers.userId, purchase.userId));
    expect(second?.providerCustomerId).not.toBe(first?.providerCustomerId);
    expect((await providerHas(purchase)).customers).toBe(1);
  });

  test("that no longer sells a price is believed before its event arrives", async () => {
    const purchase = await newPurchase(YEARLY);
    await shop.stripe.prices.update(YEARLY, { active: false });
    expect(await startCheckout(purchase)).toEqual({
      kind: "refused",
      why: "priceGone",
      reason: expect.stringMatching(/^Stripe refused a purchase \(\w+, \S+\)\.$/),
    });
    expect(await rowsOf(purchase)).toMatchObject([{ status: "expired" }]);
    expect((await listOffer(null)).plans.map(({ priceId }) => priceId)).not.toContain(YEARLY);
    await shop.stripe.prices.update(YEARLY, { active: true });
    await syncOffer({ isDryRun: false });
    expect((await startCheckout(purchase)).kind).toBe("page");
  });
});
