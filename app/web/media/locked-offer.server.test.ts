import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { prices } from "#db/schema/billing.ts";
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
