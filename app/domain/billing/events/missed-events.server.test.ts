import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { billingEvents, billingFacts } from "#db/schema/billing-events.ts";
import { ccbillSettings } from "#tests/support/billing/ccbill-settings.ts";
import { begin, inDays, prepareOffer } from "#tests/support/billing/stored-subscription.ts";
import {
  countRefusals,
  listRefusals,
  noteRefusal,
  readMissingPayments,
  readRefusedEvents,
} from "./missed-events.server.ts";

config.billing.ccbill = ccbillSettings();
afterAll(() => {
  config.billing.ccbill = null;
});
beforeEach(async () => {
  await prepareOffer();
  await Promise.all([db.delete(billingEvents), db.delete(billingFacts), db.delete(rateLimits)]);
});

async function hear(id: string, type = "RenewalSuccess"): Promise<void> {
  const about = { subject: "facts", subjectId: "ccbill:1", customerId: null, createdAt: new Date() };
  await db.insert(billingEvents).values({ id, provider: "ccbill", type, ...about });
}

test("refused calls are missed when all of a provider's are refused, and not when some are", async () => {
  for (let call = 0; call < 4; call += 1) noteRefusal("ccbill", "address");
  expect(await db.$count(rateLimits)).toBe(0);
  await countRefusals();
  expect(await readRefusedEvents()).toEqual({ amount: 0, since: null });
  noteRefusal("ccbill", "token");
  await countRefusals();
  expect(await readRefusedEvents()).toEqual({ amount: 5, since: expect.any(Date) });
  expect(await listRefusals()).toMatchObject([
    { provider: "ccbill", why: "address", amount: 4 },
    { provider: "ccbill", why: "token", amount: 1 },
  ]);
  // What the site has asked for is no call.
  await hear("ccbill:feed:1");
  await hear("ccbill:feed:2026-11-30", "feed");
  expect(await readRefusedEvents()).toMatchObject({ amount: 5 });
  await hear("ccbill:1");
  expect(await readRefusedEvents()).toEqual({ amount: 0, since: null });
});

test("a renewal is missed six hours after it was due, unless its provider has told of anything since", async () => {
  const provider = "ccbill";
  await begin({ provider, currentPeriodEnd: inDays(-0.2) });
  await begin({ provider, currentPeriodEnd: inDays(-0.5), cancelAtPeriodEnd: true });
  await begin({ provider: "former", currentPeriodEnd: inDays(-0.5) });
  expect(await readMissingPayments()).toEqual({ amount: 0, since: null });
  const { subscription } = await begin({ provider, currentPeriodEnd: inDays(-0.3) });
  expect(await readMissingPayments()).toEqual({ amount: 1, since: subscription.currentPeriodEnd });
  await hear("ccbill:feed:2");
  expect(await readMissingPayments()).toMatchObject({ amount: 1 });
  await hear("ccbill:2");
  expect(await readMissingPayments()).toEqual({ amount: 0, since: null });
});

test("a sale is missed while its provider has not confirmed it for an hour", async () => {
  const sale = { provider: "ccbill", subscriptionId: "ccbill:7", at: new Date() };
  await db.insert(billingFacts).values({ ...sale, id: "ccbill:sale:7", fact: { kind: "sale" } });
  expect(await readMissingPayments()).toMatchObject({ amount: 0 });
  await db.execute(sql`UPDATE billing_facts SET received_at = now() - interval '61 minutes'`);
  expect(await readMissingPayments()).toMatchObject({ amount: 1 });
  await db.insert(billingFacts).values({ ...sale, id: "ccbill:probed:7", fact: { kind: "probed" } });
  expect(await readMissingPayments()).toMatchObject({ amount: 0 });
  const unknown = { ...sale, subscriptionId: "ccbill:8", fact: { kind: "closed" } };
  await db.insert(billingFacts).values({ ...unknown, id: "ccbill:closed:8:here" });
  expect(await readMissingPayments()).toMatchObject({ amount: 0 });
  await db.insert(billingFacts).values({ ...unknown, id: "ccbill:closed:8:sale" });
  expect(await readMissingPayments(), "the provider does not know it").toMatchObject({ amount: 1 });
});
