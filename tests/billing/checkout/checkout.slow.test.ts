import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { type Purchase, startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { prices } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { providerState, rowsOf, urlOf } from "#tests/support/billing/checkout-state.ts";
import { MONTHLY, newPurchase, openShop, purchaseOf, YEARLY } from "#tests/support/billing/shop.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";
import { createMember, subscribe } from "#tests/support/people.ts";

const DAY = 86_400;

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const providerHas = (purchase: Purchase) => providerState(shop.stripe, purchase);

test("the row keeps the accepted terms word for word, with price, time and network", async () => {
  const purchase = { ...(await newPurchase()), network: "203.0.113.0/24" };
  await startCheckout(purchase);
  const [row] = await rowsOf(purchase);
  expect(row).toMatchObject({
    priceId: MONTHLY,
    currency: "usd",
    unitAmount: 1499,
    interval: "month",
    intervalCount: 1,
    firstPeriod: { days: 7, amount: 0 },
    consentHash: purchase.consentHash,
    network: "203.0.113.0/24",
  });
  expect(row?.consentText).toContain("free for 7 days");
  expect(hashSecret(row?.consentText ?? "")).toBe(purchase.consentHash);
});

describe("two tabs", () => {
  test("on different plans leave the later choice open, and close the page of the earlier one", async () => {
    const monthly = await newPurchase();
    const yearly = {
      ...monthly,
      ...(await purchaseOf({ id: monthly.userId, email: monthly.email }, YEARLY)),
    };
    const first = urlOf(await startCheckout(monthly));
    const second = urlOf(await startCheckout(yearly));
    expect((await fetch(first)).status).toBe(410);
    expect((await providerHas(monthly)).open).toEqual([second]);
    expect(await rowsOf(monthly)).toMatchObject([
      { priceId: MONTHLY, status: "replaced", url: null },
      { priceId: YEARLY, status: "open", url: second },
    ]);
    expect(urlOf(await startCheckout(monthly))).not.toBe(first);
    expect((await providerHas(monthly)).open).toHaveLength(1);
  });

  test("clicking concurrently end with one open page, which belongs to the open row", async () => {
    for (let round = 0; round < 5; round += 1) {
      const member = await createMember();
      const [monthly, yearly] = [await purchaseOf(member), await purchaseOf(member, YEARLY)];
      const starts = await Promise.all(
        Array.from({ length: 20 }, (_, click) => startCheckout(click % 2 === 0 ? monthly : yearly)),
      );
      expect(starts.filter(({ kind }) => kind !== "page" && kind !== "refused")).toEqual([]);
      const open = (await rowsOf(monthly)).filter(({ status }) => status === "open");
      expect(open).toHaveLength(1);
      const has = await providerHas(monthly);
      expect([has.customers, has.open]).toEqual([1, [open[0]?.url]]);
    }
  }, 60_000);

  test("with a payment in one lead to that purchase, and sell nothing twice", async () => {
    const member = await createMember();
    const [monthly, yearly] = [await purchaseOf(member), await purchaseOf(member, YEARLY)];
    await submit(urlOf(await startCheckout(monthly)), { card: "4242" });
    const [row] = await rowsOf(monthly);
    expect(await startCheckout(yearly)).toEqual({ kind: "paid", checkoutId: row?.id });
    const [paid] = await rowsOf(monthly);
    expect(paid).toMatchObject({
      status: "completed",
      subscriptionId: expect.stringMatching(/^sub_/),
      url: null,
    });
    expect((await providerHas(monthly)).sessions).toBe(1);
  });
});

test("an expired page is replaced by a new one, and its row expires", async () => {
  const purchase = await newPurchase();
  const old = urlOf(await startCheckout(purchase));
  await shop.standIn.control.advance(DAY + 60);
  const next = urlOf(await startCheckout(purchase));
  expect(next).not.toBe(old);
  expect((await providerHas(purchase)).open).toEqual([next]);
  expect(await rowsOf(purchase)).toMatchObject([{ status: "expired", url: null }, { status: "open" }]);
});

describe("a subscriber", () => {
  test("buys no second subscription while the first is not stored yet", async () => {
    const purchase = await newPurchase(YEARLY);
    await submit(urlOf(await startCheckout(purchase)), { card: "4242" });
    // The row has expired, but its page was paid nevertheless.
    await db.update(checkouts).set({ status: "expired" }).where(eq(checkouts.userId, purchase.userId));
    expect(await startCheckout(purchase)).toEqual({ kind: "subscribed" });
    expect((await providerHas(purchase)).sessions).toBe(1);
  });

  test("may buy another subscription after one ended without an event", async () => {
    const purchase = await newPurchase(YEARLY);
    await submit(urlOf(await startCheckout(purchase)), { card: "4242" });
    await refreshCustomer(purchase.userId);
    const [row] = await rowsOf(purchase);
    await shop.stripe.subscriptions.cancel(row?.subscriptionId ?? "");
    const over = new Date(Date.now() - 60_000);
    await db
      .update(subscriptions)
      .set({ currentPeriodEnd: over })
      .where(eq(subscriptions.userId, purchase.userId));
    expect((await startCheckout(purchase)).kind).toBe("page");
  });

  test.each(["trialing", "active", "past_due", "unpaid", "incomplete", "paused"] as const)(
    "in state %s buys no second one",
    async (status) => {
      const purchase = await newPurchase();
      await subscribe(purchase.userId, status);
      expect(await startCheckout(purchase)).toEqual({ kind: "subscribed" });
      expect([await rowsOf(purchase), await providerHas(purchase)]).toEqual([
        [],
        { customers: 0, open: [], sessions: 0 },
      ]);
    },
  );

  test.each(["incomplete_expired", "canceled"] as const)("in state %s may buy one", async (status) => {
    const purchase = await newPurchase();
    await subscribe(purchase.userId, status);
    expect((await startCheckout(purchase)).kind).toBe("page");
  });
});

describe("nothing is written for", () => {
  const refusal = async (purchase: Purchase) => {
    const start = await startCheckout(purchase);
    expect([await rowsOf(purchase), (await providerHas(purchase)).customers]).toEqual([[], 0]);
    return start.kind === "refused" ? start.why : start.kind;
  };

  test("a price that is unknown, archived, or of another shape", async () => {
    const purchase = await newPurchase();
    for (const priceId of [
      "price_unknown",
      "",
      "prod_demo",
      `${MONTHLY} `,
      MONTHLY.toUpperCase(),
      "' OR 1=1 --",
    ]) {
      expect(await refusal({ ...purchase, priceId })).toBe("priceGone");
    }
    await db.update(prices).set({ active: false }).where(eq(prices.id, MONTHLY));
    expect(await refusal(purchase)).toBe("priceGone");
    await db.update(prices).set({ active: true }).where(eq(prices.id, MONTHLY));
  });

  test("terms that were not accepted, or have changed", async () => {
    const purchase = await newPurchase();
    const yearly = await purchaseOf({ id: purchase.userId, email: purchase.email }, YEARLY);
    expect(await refusal({ ...purchase, consentHash: null })).toBe("noConsent");
    expect(await refusal({ ...purchase, consentHash: "0".repeat(64) })).toBe("termsChanged");
    expect(await refusal({ ...purchase, consentHash: yearly.consentHash })).toBe("termsChanged");
    await db.update(prices).set({ unitAmount: 1599 }).where(eq(prices.id, MONTHLY));
    expect(await refusal(purchase)).toBe("termsChanged");
    await db.update(prices).set({ unitAmount: 1499 }).where(eq(prices.id, MONTHLY));
  });
});
