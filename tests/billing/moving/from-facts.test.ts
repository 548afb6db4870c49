import { and, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { endRenewals } from "#app/domain/billing/cancellation/end-renewals.server.ts";
import { db } from "#db/client.server.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { DAY, startCcbillShop } from "#tests/support/billing/ccbill-shop.ts";

/** CCBill's clock is never ours. */
const SECONDS_BEHIND = 5;

let shop: Awaited<ReturnType<typeof startCcbillShop>>;
beforeAll(async () => {
  shop = await startCcbillShop({ daysAgo: SECONDS_BEHIND / DAY });
});
afterAll(async () => {
  Object.assign(config.billing, { stripe: null, seller: null });
  await shop.stop();
});

test("renewals end at a provider that cannot be asked, too, and its event about that writes no second email", async () => {
  const { buyer, theirs } = await shop.subscriber();
  config.billing.stripe = { secretKey: "sk_test_of_the_test", webhookSecrets: [], apiUrl: undefined };
  config.billing.seller = "stripe";
  shop.control.webhooks({ mode: "hold" });
  for await (const one of endRenewals("ccbill", { isDryRun: false }))
    expect(one).toMatchObject({ plan: "atPeriodEnd", failed: null });
  shop.control.webhooks({});
  shop.control.flush();
  await shop.settled();
  expect(await shop.dataLink.readStatus(theirs)).toMatchObject({ state: "ending" });
  expect(await shop.rowsOf(buyer)).toMatchObject([{ cancelAtPeriodEnd: true, renewalEndedBy: "site" }]);
  const theirMails = and(eq(mailOutbox.to, buyer.email), like(mailOutbox.kind, "billing-%"));
  const sent = await db.select({ kind: mailOutbox.kind }).from(mailOutbox).where(theirMails);
  expect(sent.map(({ kind }) => kind)).toEqual(["billing-receipt", "billing-moved"]);
});
