import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { refreshCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";

const shop = await startPaidSite();
afterAll(() => shop.stop());

const SENTENCE = "Your access returns as soon as the payment arrives";

const ask = ({ cookie }: Payer, path: string, method = "GET") =>
  shop.site.fetch(path, { method, redirect: "manual", headers: { cookie, origin: shop.site.origin } });
const pageOf = async (payer: Payer, path: string) => (await ask(payer, path)).text();

async function subscribed(): Promise<Payer> {
  const payer = await shop.createPayer();
  const start = await startCheckout(await purchaseOf(payer, shop.monthly.id));
  if (start.kind !== "page") throw new Error("There is no page");
  await submit(start.url, { card: "4242" });
  await refreshCustomer(payer.id);
  return payer;
}

/** Simulates that the stored subscription missed a renewal. */
async function missRenewal({ id }: Payer): Promise<void> {
  const currentPeriodEnd = sql`now() - interval '3 days'`;
  await db.update(subscriptions).set({ currentPeriodEnd }).where(eq(subscriptions.userId, id));
}

test("a renewal without an event ends access, until its owner requests a reconciliation", async () => {
  const payer = await subscribed();
  expect(await pageOf(payer, paths.subscribe())).toContain("You are subscribed");
  await missRenewal(payer);

  const offer = await pageOf(payer, paths.subscribe());
  expect(offer).toContain("Your subscription has not renewed yet");
  expect(offer).not.toContain("You are subscribed");
  for (const page of [offer, await pageOf(payer, paths.account())]) {
    expect(page).toContain(SENTENCE);
    expect(page).toMatch(/<form[^>]*action="\/subscribe\/portal"[^>]*>(?:(?!<\/form>).)*Check again/s);
  }

  const looked = await ask(payer, paths.portal(), "POST");
  expect([looked.status, new URL(looked.headers.get("location") ?? "", shop.site.origin).hash]).toEqual([
    303,
    "#subscription",
  ]);
  expect(await pageOf(payer, paths.account())).not.toContain(SENTENCE);
  expect(await pageOf(payer, paths.subscribe())).toContain("You are subscribed");
}, 60_000);

test("the return page welcomes nobody without access", async () => {
  const payer = await subscribed();
  const [checkout] = await db.select().from(checkouts).where(eq(checkouts.userId, payer.id));
  const page = paths.subscribeReturn(checkout?.id ?? "");
  expect(await pageOf(payer, page)).toContain("You now have access to everything.");
  await missRenewal(payer);
  const later = await pageOf(payer, page);
  expect(later).toContain(SENTENCE);
  expect(later).not.toContain("You now have access to everything.");
}, 60_000);

test("the page for an abandoned checkout says nothing about money to somebody who paid in another window", async () => {
  const payer = await subscribed();
  const page = await pageOf(payer, paths.subscribeCancelled());
  expect(page).toContain("you do have a subscription");
  expect(page).not.toContain("you were not charged");
  const newcomer = await shop.createPayer();
  expect(await pageOf(newcomer, paths.subscribeCancelled())).toContain(
    "Unless you paid, you were not charged",
  );
}, 60_000);
