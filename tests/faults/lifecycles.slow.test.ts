import { setTimeout as sleep } from "node:timers/promises";
import { inArray, sql } from "drizzle-orm";
import type Stripe from "stripe";
import { afterAll, expect, test } from "vitest";
import { STRIPE_EVENTS } from "#app/domain/billing/providers/stripe/parse-event.server.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { billingMails } from "#db/schema/billing-mails.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { prices } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import {
  DAYS_UNTIL_LATE,
  DAYS_UNTIL_THE_END,
  finalState,
  type State,
  sampleLives,
} from "#tests/support/billing/lifecycle-model.ts";
import { doEarly, doLate, type LiveLifecycle } from "#tests/support/billing/live-lifecycle.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { startWorker } from "#tests/support/billing/worker-process.ts";
import { SEED } from "#tests/support/seed.ts";
import { expectFigures } from "./support/figures.ts";

const COUNT = 40;
const DAY = 86_400;
const BAD_SIGNATURES = 0.05;

const shop = await startPaidSite();
const { control, stripe } = shop;
let worker = startWorker();
afterAll(() => Promise.all([shop.stop(), worker.kill()]));

test(`${COUNT} lifecycles end as they must, whatever happens to their events (seed ${SEED})`, async () => {
  const sampled = sampleLives(COUNT, SEED);
  const lifecycles = await Promise.all(
    sampled.map(async (life) => ({ life, payer: await shop.createPayer(), subscriptionId: "" })),
  );
  const killing = killAndStart(2_000);
  await each(lifecycles, begin);
  await each(lifecycles, (one) => doEarly(shop, one));
  await killing;
  await allDone();

  // The consequences follow day by day, for all lifecycles at once.
  deliver(2);
  await control.advance(DAYS_UNTIL_LATE * DAY);
  await allDone();
  const killingAgain = killAndStart(500);
  await each(lifecycles, (one) => doLate(shop, one));
  await killingAgain;
  await allDone();
  deliver(1);
  await control.advance(DAYS_UNTIL_THE_END * DAY);
  await allDone();

  const rightlyEnded = await expectStates(lifecycles);
  await expectAsTheProviderSays(lifecycles);
  await expectOneEffectEach(lifecycles);
  expectFigures({ livesAsTheyMustEnd: { is: rightlyEnded, exactly: COUNT } });
}, 600_000);

async function begin(one: LiveLifecycle): Promise<void> {
  const { customerId } = one.payer;
  const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: customerId });
  const { id } = await stripe.subscriptions.create({
    customer: customerId,
    items: [{ price: one.life.plan === "monthly" ? shop.monthly.id : shop.yearly.id }],
    default_payment_method: card.id,
    ...(one.life.isTrial ? { trial_period_days: 7 } : {}),
  });
  one.subscriptionId = id;
}

/** Sends each event as often as its lifecycle says, in any order, sometimes with an invalid signature. */
function deliver(repeat: number): void {
  control.webhooks({ repeat, shuffle: true, forgedShare: BAD_SIGNATURES, retryMs: 200, delayMs: 20 });
}

async function each(lifecycles: LiveLifecycle[], live: (one: LiveLifecycle) => Promise<void>): Promise<void> {
  for (const one of lifecycles) {
    deliver(one.life.repeat);
    await live(one);
  }
}

/** Kills the web process and the worker while they are busy, as in a crash, and starts them again. */
async function killAndStart(afterMs: number): Promise<void> {
  await sleep(afterMs);
  await worker.kill();
  await shop.restart();
  worker = startWorker();
}

/** Resolves when all events and their consequences are processed. */
async function allDone(): Promise<void> {
  const deadline = Date.now() + 240_000;
  // Two quiet rounds are needed: the last job may have caused an event after the idle check.
  for (let quiet = 0; quiet < 2; ) {
    await control.idle();
    await sleep(250);
    const open = await listOpenJobs();
    quiet = open.length > 0 ? 0 : quiet + 1;
    if (Date.now() > deadline) throw new Error(JSON.stringify(open));
  }
}

async function listOpenJobs() {
  const jobs =
    await db.execute(sql`SELECT task_identifier, attempts, locked_by, run_at - now() AS wait, last_error
    FROM graphile_worker.jobs LIMIT 20`);
  const events = await db.execute(sql`SELECT id FROM billing_events WHERE processed_at IS NULL LIMIT 20`);
  return [...jobs, ...events];
}

/** Returns how many lifecycles ended as they must. */
async function expectStates(lifecycles: LiveLifecycle[]): Promise<number> {
  const rows = await db
    .select()
    .from(subscriptions)
    .innerJoin(prices, sql`${prices.id} = ${subscriptions.priceId}`);
  const bills = await db.select().from(invoices);
  const actual = lifecycles.map(({ payer, life }) => {
    const own = rows.filter(({ subscriptions: { userId } }) => userId === payer.id);
    const [row] = own;
    const paid = bills.filter(
      (bill) => bill.userId === payer.id && bill.status === "paid" && bill.amountPaid > 0,
    );
    if (!row || own.length > 1) return { life, state: null };
    const { status, cancelAtPeriodEnd } = row.subscriptions;
    const state: State = {
      status: status as State["status"],
      isToEnd: cancelAtPeriodEnd && status !== "canceled",
      plan: row.prices.interval === "year" ? "yearly" : "monthly",
      payments: paid.length,
      refunded: bills
        .filter(({ userId }) => userId === payer.id)
        .reduce((sum, bill) => sum + bill.amountRefunded, 0),
    };
    return { life, state };
  });
  const wrong = actual.filter(
    ({ life, state }) => JSON.stringify(state) !== JSON.stringify(finalState(life)),
  );
  expect(wrong.map(({ life, state }) => ({ life, state, expected: finalState(life) }))).toEqual([]);
  return actual.length - wrong.length;
}

/** Also compares the dates, which the model does not have. */
async function expectAsTheProviderSays(lifecycles: LiveLifecycle[]): Promise<void> {
  const rows = new Map((await db.select().from(subscriptions)).map((row) => [row.id, row]));
  const theirs = new Map<string, Stripe.Subscription>();
  for await (const one of stripe.subscriptions.list({ status: "all", limit: 100 })) theirs.set(one.id, one);
  const seconds = (date: Date | null | undefined) => (date ? date.getTime() / 1000 : null);
  const datesHere = lifecycles.map(({ subscriptionId }) => {
    const row = rows.get(subscriptionId);
    return [row?.status, seconds(row?.currentPeriodEnd), seconds(row?.endedAt), seconds(row?.canceledAt)];
  });
  const datesThere = lifecycles.map(({ subscriptionId }) => {
    const one = theirs.get(subscriptionId);
    return [one?.status, one?.items.data[0]?.current_period_end, one?.ended_at, one?.canceled_at];
  });
  expect(datesHere).toEqual(datesThere);
}

/** Each event has exactly one row, and each fact exactly one email. */
async function expectOneEffectEach(lifecycles: LiveLifecycle[]): Promise<void> {
  const events = await db.select().from(billingEvents);
  expect(events.filter(({ processedAt, outcome }) => processedAt === null || outcome === null)).toEqual([]);
  const sent = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
  // Events about products and prices were sent before the site started.
  const expected = sent.filter(
    ({ type }) => STRIPE_EVENTS.includes(type) && !/^(product|price)\./.test(type),
  );
  const known = new Set(events.map(({ id }) => id));
  expect(expected.filter(({ id }) => !known.has(id)).map(({ type }) => type)).toEqual([]);
  expect(events.length).toBeGreaterThan(COUNT * 5);

  const addresses = lifecycles.map(({ payer }) => payer.email);
  const mails = await db.select().from(mailOutbox).where(inArray(mailOutbox.to, addresses));
  const receipts = mails.filter(({ kind }) => kind === "billing-receipt").length;
  expect(receipts).toBe(lifecycles.reduce((sum, { life }) => sum + finalState(life).payments, 0));
  const facts = mails.map(({ to, subject, text }) => `${to} ${subject} ${text}`);
  expect(new Set(facts).size).toBe(facts.length);
  const claimed = await db.select().from(billingMails);
  expect(mails.length).toBeLessThanOrEqual(claimed.length);
}
