import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { reconcileAll } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { checkouts, subscriptions, trials } from "#db/schema/billing.ts";
import { newPurchase, openShop, YEARLY } from "#tests/support/billing/shop.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";

const DAY = 86_400;

// This shop has no webhook address and receives no events.
const shop = await openShop();
afterAll(() => shop.close());

test("a checkout whose events were lost is corrected by one reconciliation: paid, on trial, and abandoned", async () => {
  const [paid, tried, expired] = [await newPurchase(YEARLY), await newPurchase(), await newPurchase()];
  for (const purchase of [paid, tried, expired]) {
    const start = await startCheckout(purchase);
    if (start.kind === "page" && purchase !== expired) await submit(start.url, { card: "4242" });
  }
  await shop.standIn.control.advance(DAY + 1);
  const rowOf = async ({ userId }: typeof paid) => ({
    ...(await db.select().from(checkouts).where(eq(checkouts.userId, userId)))[0],
    subscriptions: await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)),
  });
  const open = { status: "open", subscriptionId: null, subscriptions: [] };
  expect(await Promise.all([paid, tried, expired].map(rowOf))).toMatchObject([open, open, open]);

  const healed = await reconcileAll({ isDryRun: false, withinMs: 60_000 });
  expect(healed).toMatchObject({ compared: 3, failed: [], left: 0 });
  expect(await Promise.all([paid, tried, expired].map(rowOf))).toMatchObject([
    { status: "completed", url: null, subscriptions: [{ status: "active", priceId: YEARLY }] },
    { status: "completed", url: null, subscriptions: [{ status: "trialing" }] },
    { status: "expired", url: null, subscriptions: [] },
  ]);
  expect(await db.$count(trials)).toBe(1);
  expect((await reconcileAll({ isDryRun: false, withinMs: 60_000 }))?.people).toEqual([]);
});
