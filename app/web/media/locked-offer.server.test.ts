import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { prices } from "#db/schema/prices.ts";
import { prepareOffer } from "#tests/support/billing/stored-subscription.ts";
import { createMember } from "#tests/support/people.ts";
import { findLockedOffer } from "./locked-offer.server.ts";

test("a locked item names the lowest price, and does not say from when there is only one", async () => {
  config.billing.stripe = { secretKey: "sk_test_of_the_test", webhookSecrets: [], apiUrl: undefined };
  const viewer = { user: await createMember(), session: null, subscription: null } as never;
  const costOf = async () => (await findLockedOffer(viewer, "subscriber")).plan?.cost;
  await prepareOffer();
  expect(await costOf()).toBe("from $14.99");
  await db.update(prices).set({ active: false }).where(eq(prices.id, "yearly"));
  expect(await costOf()).toBe("for $14.99");
});

test("a locked item says which of its prices begin with free days", async () => {
  config.billing.stripe = { secretKey: "sk_test_of_the_test", webhookSecrets: [], apiUrl: undefined };
  const viewer = { user: await createMember(), session: null, subscription: null } as never;
  const wordsOf = async () => {
    const plan = (await findLockedOffer(viewer, "subscriber")).plan;
    return [plan?.prices, plan?.firstPeriod].filter(Boolean).join(" ");
  };
  await prepareOffer();
  await db.update(prices).set({ active: true, firstPeriod: null });
  expect(await wordsOf()).toBe("$14.99 a month or $119.00 a year");
  await db
    .update(prices)
    .set({ firstPeriod: { days: 7, amount: 0 } })
    .where(eq(prices.id, "monthly"));
  expect(await wordsOf()).toBe("$14.99 a month after 7 days free, or $119.00 a year");
  await db.update(prices).set({ firstPeriod: { days: 7, amount: 0 } });
  expect(await wordsOf()).toBe("$14.99 a month or $119.00 a year after 7 days free");
});

test("a locked item promises two clicks to cancel only where something renews", async () => {
  const viewer = { user: await createMember(), session: null, subscription: null } as never;
  const endingOf = async () => (await findLockedOffer(viewer, "subscriber")).inside?.ending;
  config.billing.stripe = { secretKey: "sk_test_of_the_test", webhookSecrets: [], apiUrl: undefined };
  await prepareOffer();
  await db.update(prices).set({ active: true, firstPeriod: null });
  expect(await endingOf()).toBe("You can cancel at any time, in two clicks");
  config.billing.stripe = null;
  config.billing.btcpay = { url: "http://127.0.0.1:1", storeId: "s", apiKey: "k", webhookSecret: "w" };
  expect(await endingOf()).toBe("It does not renew, so there is nothing to cancel");
  config.billing.btcpay = null;
});
