import { eq, sql } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { log } from "#app/log.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { WEBHOOK_SECRET } from "#tests/support/billing/stand-in-site.ts";
import { digestTables } from "#tests/support/database/digest.ts";
import { startSite } from "#tests/support/site.ts";

const NEWER_SECRET = "whsec_the_newer_one";
const LIMIT_BYTES = 256 * 1024;
const MAX_AT_ONCE = 50;
const CANARY = "canary@example.com";

const shop = await startPaidSite({
  env: { LOG_LEVEL: "info", STRIPE_WEBHOOK_SECRET: `${NEWER_SECRET},${WEBHOOK_SECRET}` },
});
afterAll(() => shop.stop());

for (const level of ["info", "warn"] as const) vi.spyOn(log, level).mockReturnValue();
beforeEach(() => shop.settled());

const payer = await shop.createPayer();
const subscriptionId = await shop.buy(payer);

interface Sent {
  body: string;
  secret?: string;
  /** The age of the signature. */
  secondsAgo?: number;
  signature?: string | null;
}

function eventOf(given: Record<string, unknown> = {}, object: Record<string, unknown> = {}): string {
  return JSON.stringify({
    id: `evt_${Math.random().toString(36).slice(2)}`,
    object: "event",
    created: Math.floor(Date.now() / 1000),
    type: "customer.subscription.deleted",
    data: { object: { id: subscriptionId, customer: payer.customerId, email: CANARY, ...object } },
    ...given,
  });
}

async function send({ body, secret = WEBHOOK_SECRET, secondsAgo = 0, signature }: Sent, site = shop.site) {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const right = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  const header = signature === undefined ? right : signature;
  const before = linesOf(site.output()).length;
  const headers: Record<string, string> = header === null ? {} : { "stripe-signature": header };
  const answer = await site.fetch(paths.api.billingWebhook("stripe"), { method: "POST", body, headers });
  expect(await answer.text()).not.toContain(CANARY);
  await expect.poll(() => linesOf(site.output()).length).toBeGreaterThan(before);
  return { status: answer.status, lines: linesOf(site.output()).slice(before) };
}

const linesOf = (output: string) =>
  output.split("\n").filter((line) => line.startsWith("{") && !line.includes('"msg":"request"'));

test.each<[string, () => Sent, number]>([
  ["without a signature", () => ({ body: eventOf(), signature: null }), 400],
  ["with a signature that is none", () => ({ body: eventOf(), signature: "t=1,v1=abc" }), 400],
  ["signed by somebody else", () => ({ body: eventOf(), secret: "whsec_of_somebody" }), 400],
  ["signed with an empty secret", () => ({ body: eventOf(), secret: "" }), 400],
  [
    "changed after it was signed",
    () => {
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload: eventOf(),
        secret: WEBHOOK_SECRET,
      });
      return { body: eventOf(), signature };
    },
    400,
  ],
  ["signed 301 seconds ago", () => ({ body: eventOf(), secondsAgo: 302 }), 400],
  ["signed and no event", () => ({ body: "[]" }), 400],
  ["too long by a byte", () => ({ body: eventOf().padEnd(LIMIT_BYTES + 1) }), 413],
  ["of a type that nothing depends on", () => ({ body: eventOf({ type: "charge.succeeded" }) }), 200],
  ["of a type that does not exist", () => ({ body: eventOf({ type: "peony.opened" }) }), 200],
  [
    "about what names another site",
    () => ({ body: eventOf({}, { metadata: { site: "other.example" } }) }),
    200,
  ],
])("an event %s changes nothing and leaves one line", async (_, sent, status) => {
  const before = await digestTables();
  const answer = await send(sent());
  expect(answer).toEqual({ status, lines: [expect.stringContaining("billing event")] });
  expect(answer.lines.join()).not.toContain(CANARY);
  expect(await digestTables()).toEqual(before);
});

test("an event of the right age, length and either secret is accepted, and recognized when repeated", async () => {
  const first = eventOf({ id: "evt_the_first", type: "customer.subscription.updated" }).padEnd(LIMIT_BYTES);
  const stored = async (id: string) =>
    (await db.select().from(billingEvents).where(eq(billingEvents.id, id))).length;
  const post = (secret: string, secondsAgo: number) => {
    const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: first, secret, timestamp });
    const headers = { "stripe-signature": signature };
    return shop.site.fetch(paths.api.billingWebhook("stripe"), { method: "POST", body: first, headers });
  };
  expect((await post(WEBHOOK_SECRET, 290)).status).toBe(200);
  expect(await stored("evt_the_first")).toBe(1);
  await shop.settled();
  const before = await digestTables();
  const again = await send({ body: first, secret: NEWER_SECRET });
  expect(again).toEqual({ status: 200, lines: [expect.stringContaining('"known"')] });
  expect(await digestTables()).toEqual(before);
  const other = eventOf({ id: "evt_of_the_newer", type: "customer.subscription.updated" });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: other, secret: NEWER_SECRET });
  const taken = await shop.site.fetch(paths.api.billingWebhook("stripe"), {
    method: "POST",
    body: other,
    headers: { "stripe-signature": signature },
  });
  expect([taken.status, await stored("evt_of_the_newer")]).toEqual([200, 1]);
});

test("only a POST is answered, and a cookie is ignored", async () => {
  const before = await digestTables();
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const answer = await shop.site.fetch(paths.api.billingWebhook("stripe"), {
      method,
      headers: { cookie: payer.cookie },
    });
    expect([400, 405]).toContain(answer.status);
  }
  const unsigned = await shop.site.fetch(paths.api.billingWebhook("stripe"), {
    method: "POST",
    body: eventOf(),
    headers: { cookie: payer.cookie, origin: shop.site.origin },
  });
  expect([unsigned.status, unsigned.headers.getSetCookie()]).toEqual([400, []]);
  expect(await digestTables()).toEqual(before);
});

test("an event that arrives while fifty are being stored is refused at once, and accepted when repeated", async () => {
  const newEvent = () => eventOf({ type: "customer.subscription.updated" });
  const deliver = async (body: string) => {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET });
    const headers = { "stripe-signature": signature };
    const answer = await shop.site.fetch(paths.api.billingWebhook("stripe"), {
      method: "POST",
      body,
      headers,
    });
    return { body, status: answer.status, retryAfter: answer.headers.get("retry-after") };
  };
  const sent = await db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE billing_events IN EXCLUSIVE MODE`);
    const all = Array.from({ length: MAX_AT_ONCE + 1 }, () => deliver(newEvent()));
    // Nothing can be stored yet, so the first response is for the request above the limit.
    expect(await Promise.race(all)).toMatchObject({ status: 503, retryAfter: "5" });
    return all;
  });
  const answers = await Promise.all(sent);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_AT_ONCE);
  for (const { body } of answers.filter(({ status }) => status === 503)) {
    expect((await deliver(body)).status).toBe(200);
  }
});

test("the provider has to retry while the database is unreachable", async () => {
  const unreachable = await startSite({
    databaseUrl: "postgres://nobody@127.0.0.1:9/nothing",
    env: {
      STRIPE_SECRET_KEY: shop.standIn.secretKey,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      LOG_LEVEL: "info",
    },
  });
  const answer = await send(
    { body: eventOf({ type: "customer.subscription.updated" }) },
    unreachable,
  ).finally(() => unreachable.stop());
  expect(answer.status).toBe(503);
  expect(answer.lines.join()).not.toContain(CANARY);
});
