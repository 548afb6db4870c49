import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { prices } from "#db/schema/prices.ts";
import { HOUR, SETTINGS, startBtcpayShop } from "#tests/support/billing/btcpay-shop.ts";
import { createMember, signedInCookie, type TestMember } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

/** What is only true where something renews. */
const RENEWING =
  /until you cancel|every month|a month|Next charge is|never sees your card|promotion code|On your statement/;

let shop: Awaited<ReturnType<typeof startBtcpayShop>>;
let site: Site;
beforeAll(async () => {
  shop = await startBtcpayShop();
  const trial = { currency: "eur", unitAmount: 799, interval: "month" as const };
  const firstPeriod = { days: 7, amount: 0 };
  await db.insert(prices).values({ ...trial, id: "with_trial", productId: "plan", firstPeriod });
  site = await startSite({
    env: {
      BTCPAY_URL: shop.origin,
      BTCPAY_STORE_ID: SETTINGS.storeId,
      BTCPAY_API_KEY: SETTINGS.apiKey,
      BTCPAY_WEBHOOK_SECRET: SETTINGS.webhookSecret,
    },
  });
});
afterAll(async () => {
  await site.stop();
  await shop.stop();
});

/** A page as it is read, with its status and what it makes a browser do. */
async function look(path: string, { id }: TestMember) {
  const page = await site.fetch(path, { headers: { cookie: await signedInCookie(id) } });
  const html = (await page.text()).replace(/<script.*?<\/script>/gs, "");
  const text = html
    .replaceAll(/<!-- -->|<style.*?<\/style>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&#x27;/g, "'")
    .replaceAll(/\s+/g, " ");
  return { text, html, refresh: page.headers.get("refresh") };
}

test("the offer is a period that is paid once", async () => {
  const { text } = await look("/subscribe", await createMember());
  expect(text).toContain("One month €9.99 for one month");
  expect(text).toContain("Today €9.99 for one month, paid once");
  expect(text).toContain("Then Nothing. It does not renew.");
  expect(text).toContain("15% less €24.99 for 90 days");
  expect(text).toContain("I subscribe to Membership for one month and pay €9.99 once.");
  expect(text).toContain("Does it renew? No. You pay for one period");
  expect(text).not.toMatch(RENEWING);
  // It may be another period, which begins when the present one ends.
  expect(text).toContain("The payment counts as soon as it is confirmed.");
  // A trial cannot be followed by anything.
  expect(text).not.toContain("7.99");
});

test("the studio says why a price with a trial is not sold", async () => {
  const owner = await createMember({ role: "owner" });
  const { text } = await look("/studio/plans", owner);
  expect(text).toContain("€9.99 for one month");
  expect(text).toContain(
    "The payment provider cannot sell this price: it has a first period, and nothing renews after that.",
  );
  expect(text).toContain("Paid once. Nothing renews");
});

test("while a payment waits, the page after it and the account say so, and then until when it is paid", async () => {
  const buyer = await createMember();
  const { checkoutId, page } = await shop.order(buyer);
  shop.control.act("pay", page);
  const back = `/subscribe/return?checkout=${checkoutId}`;
  const waiting = await look(back, buyer);
  expect(waiting.text).toContain("Your payment waits for confirmation Your payment has been seen");
  expect(waiting.refresh).toMatch(/^2; url=/);
  expect((await look("/user/account", buyer)).text).toContain("Your payment has been seen and waits");
  await shop.act("confirm", page);
  expect((await look(back, buyer)).text).toContain("Welcome You now have access to everything.");
  const account = await look("/user/account", buyer);
  expect(account.text).toMatch(
    /Your subscription is paid until \d+ \w+ \d{4}\. It does not renew, so there is nothing to cancel\./,
  );
  expect(account.text).toContain("Plan Membership, €9.99 for one month Next charge None. It does not renew");
  expect(account.text).not.toContain("Cancel subscription");
  expect(account.text).toContain("delete your account after its end");
  const cancel = await look("/user/account/subscription", buyer);
  expect(cancel.text).toContain("There is nothing to cancel");
  expect(cancel.html).not.toContain('value="cancel"');
  const offer = await look("/subscribe", buyer);
  expect(offer.text).toContain("You are subscribed Membership , €9.99 for one month");
});

test("a part of the price is named with what to do", async () => {
  const buyer = await createMember();
  const { checkoutId, page } = await shop.order(buyer);
  shop.control.act("half", page);
  const back = `/subscribe/return?checkout=${checkoutId}`;
  const open = await look(back, buyer);
  expect(open.text).toContain("€5.00 of €9.99 has arrived. Please pay the rest");
  expect(open.html).toContain(`href="/subscribe/pay/${checkoutId}"`);
  await shop.act("expire", page);
  for (const path of [back, "/user/account"])
    expect((await look(path, buyer)).text).toMatch(
      /€5.00 of €9.99 arrived before the payment page closed.*Write to/,
    );
});

test("money that is not confirmed in time is named with whom to write to", async () => {
  const buyer = await createMember();
  const { checkoutId, page } = await shop.order(buyer);
  await shop.act("pay", page);
  await shop.act("stall", page);
  await shop.advance(26 * HOUR);
  for (const path of [`/subscribe/return?checkout=${checkoutId}`, "/user/account"]) {
    const { text } = await look(path, buyer);
    expect(text).toMatch(/was not confirmed before the payment page closed\..*Write to/);
    expect(text).not.toContain("nothing more for you to do");
  }
});
