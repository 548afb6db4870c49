import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import {
  currentProvider,
  isProviderUnreachable,
} from "#app/domain/billing/providers/current-provider.server.ts";
import { providerState, rowsOf, urlOf } from "#tests/support/billing/checkout-state.ts";
import { MONTHLY, newPurchase, openShop } from "#tests/support/billing/shop.ts";

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const SESSIONS = "/v1/checkout/sessions";
const ORDER = {
  priceId: MONTHLY,
  currency: "usd",
  trialDays: null,
  returnUrl: "http://localhost/thanks",
  cancelUrl: "http://localhost/subscribe",
};
const newcomer = () => ({ userId: randomUUID(), email: "ada@example.com", key: randomUUID() });

test("a provider that hangs is waited for ten seconds at most, and the next try finds what it has made", async () => {
  const purchase = await newPurchase();
  const began = Date.now();
  shop.standIn.control.failNext({ hangMs: 20_000, afterEffect: true, pathIncludes: SESSIONS });
  await expect(startCheckout(purchase)).rejects.toSatisfy(isProviderUnreachable);
  expect(Date.now() - began).toBeLessThan(15_000);
  const url = urlOf(await startCheckout(purchase).catch(() => startCheckout(purchase)));
  expect(await providerState(shop.stripe, purchase)).toEqual({ customers: 1, open: [url], sessions: 1 });
  expect(await rowsOf(purchase)).toMatchObject([{ status: "open", url }]);
}, 60_000);

test("a provider that is slow gives one page to all concurrent requests, even from several processes", async () => {
  const purchase = await newPurchase();
  // The SDK keeps trying for longer than this only while another request uses the key.
  const isSlow = { hangMs: 3_000, afterEffect: true, method: "POST", pathIncludes: SESSIONS };
  shop.standIn.control.failNext(isSlow);
  const starts = await Promise.all([1, 2, 3, 4, 5].map(() => startCheckout(purchase)));
  expect(new Set(starts.map(urlOf)).size).toBe(1);

  const provider = currentProvider();
  if (provider === null) throw new Error("Nothing is for sale");
  const ordered = {
    ...ORDER,
    checkoutId: randomUUID(),
    customerId: await provider.createCustomer(newcomer()),
  };
  shop.standIn.control.failNext(isSlow);
  const pages = await Promise.all([1, 2, 3].map(() => provider.startCheckout(ordered)));
  expect(new Set(pages.map(({ id }) => id)).size).toBe(1);

  const person = newcomer();
  shop.standIn.control.failNext({ ...isSlow, pathIncludes: "/v1/customers" });
  const made = await Promise.all([1, 2, 3].map(() => provider.createCustomer(person)));
  expect(new Set(made).size).toBe(1);
}, 30_000);
