import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { DEMO_SALE } from "#demo/stand-in/demo-sale.ts";
import { ccbillSettings } from "#tests/support/billing/ccbill-settings.ts";
import { demoId } from "./files.server.ts";
import { seedOffer } from "./offer.server.ts";
import { seedPurchase } from "./purchase.server.ts";

test("the subscriber has ordered what the stand-in sells, however often the offer is made again", async () => {
  config.billing.ccbill = ccbillSettings();
  const { checkoutId, email } = DEMO_SALE;
  await db.insert(users).values({ id: demoId("user", email), email });
  for (let start = 0; start < 2; start += 1) await seedOffer();
  await seedPurchase();
  expect(await db.select().from(checkouts)).toMatchObject([
    {
      id: checkoutId,
      currency: "usd",
      unitAmount: 3499,
      interval: "day",
      intervalCount: 90,
      firstPeriod: null,
    },
  ]);
});
