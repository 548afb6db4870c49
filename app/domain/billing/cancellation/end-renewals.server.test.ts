import { afterEach, beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { ccbillSettings } from "#tests/support/billing/ccbill-settings.ts";
import { begin, inDays, prepareOffer } from "#tests/support/billing/stored-subscription.ts";
import { endRenewals, renewalsRefusal } from "./end-renewals.server.ts";

const { graceDays } = config.billing;
beforeEach(prepareOffer);
afterEach(() => {
  Object.assign(config.billing, { stripe: null, ccbill: null, seller: null, graceDays });
});

async function planOf(given: Parameters<typeof begin>[0]) {
  await db.delete(subscriptions);
  await begin(given);
  for await (const { plan } of endRenewals("stripe", { isDryRun: true })) return plan;
  return null;
}

test("only at a provider that is set up and sells no more can renewals be ended", () => {
  expect(renewalsRefusal("stripe")).toBe("notSetUp");
  config.billing.stripe = { secretKey: "sk_test_of_the_test", webhookSecrets: [], apiUrl: undefined };
  expect(renewalsRefusal("stripe")).toBe("sells");
  config.billing.ccbill = ccbillSettings();
  config.billing.seller = "ccbill";
  expect([renewalsRefusal("stripe"), renewalsRefusal("ccbill")]).toEqual([null, "sells"]);
});

test("nobody is locked out: days of grace, a first payment and a bank transfer are left alone", async () => {
  config.billing.graceDays = 3;
  expect(await planOf({ status: "past_due", currentPeriodStart: inDays(-1) })).toBe("waits");
  expect(await planOf({ status: "past_due", currentPeriodStart: inDays(-4) })).toBe("now");
  expect(await planOf({ status: "unpaid" })).toBe("now");
  expect(await planOf({ status: "unpaid", isPaymentPending: true })).toBe("waits");
  expect(await planOf({ status: "incomplete" })).toBe("waits");
  expect(await planOf({ status: "paused" })).toBe("now");
});

test("what renews ends with its period, and what ends already, is over or unknown stays as it is", async () => {
  expect(await planOf({})).toBe("atPeriodEnd");
  expect(await planOf({ collectionPause: "void" })).toBe("atPeriodEnd");
  expect(await planOf({ status: "trialing", trialEndWithoutCard: "pause" })).toBe("atPeriodEnd");
  expect(await planOf({ cancelAtPeriodEnd: true })).toBe("canceled");
  expect(await planOf({ unknownSince: inDays(-1) })).toBe("unknown");
  expect(await planOf({ status: "canceled" })).toBeNull();
  expect(await planOf({ provider: "other" })).toBeNull();
});
