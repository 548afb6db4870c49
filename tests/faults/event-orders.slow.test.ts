import Stripe from "stripe";
import { afterAll, expect, test, vi } from "vitest";
import { processEvent, writeOnce } from "#app/domain/billing/events/process-event.server.ts";
import { receiveEvent } from "#app/domain/billing/events/receive-event.server.ts";
import type { BillingProvider } from "#app/domain/billing/providers/contract/provider.ts";
import { currentProvider } from "#app/domain/billing/providers/current-provider.server.ts";
import { fetchAndEnforce } from "#app/domain/billing/sync/enforce-rules.server.ts";
import { fetchForEvent } from "#app/domain/billing/sync/fetch-for-event.server.ts";
import type { ProviderSnapshot } from "#app/domain/billing/sync/snapshot.server.ts";
import { cacheAnswers } from "#tests/support/billing/cached-answers.ts";
import { type KeptRows, keepRows, restoreRows } from "#tests/support/billing/kept-rows.ts";
import {
  DAYS_UNTIL_LATE,
  DAYS_UNTIL_THE_END,
  finalState,
  type Life,
  sampleLives,
} from "#tests/support/billing/lifecycle-model.ts";
import { doEarly, doLate, type LiveLifecycle } from "#tests/support/billing/live-lifecycle.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { WEBHOOK_SECRET } from "#tests/support/billing/stand-in-site.ts";
import { SEED } from "#tests/support/seed.ts";
import { expectFigures } from "./support/figures.ts";

/*
 * Twenty lifecycles run, and each of their events is processed at once, as a fast worker would. The provider's
 * answers are kept, with the time of each call. Then five events of each lifecycle are sent in all their 120 orders:
 * - First they get the kept answers, which were true when they were given. When these are written in another order,
 *   an old answer must not overwrite a newer one, and two workers with the same event must have one effect.
 * - Then all jobs run after the lifecycle is over, and each calls the provider itself, again in each order. Nobody may
 *   get an email twice, and no order may give different emails.
 * Orders with the same beginning share it: the rows are saved after each event and restored for the next order.
 *
 * The short form reorders the events of only one lifecycle of each kind.
 */
const OF_EACH_KIND = 2;
const REORDERED_OF_EACH_KIND = 1;
const KINDS = 10;
const LIFECYCLES = KINDS * OF_EACH_KIND;
const EVENTS = 5;
const ORDERS = 120;
const AT_ONCE = 4;
const DAY = 86_400;
const TRIAL_DAYS = 7;
const STEPS = 5;

/** The five events of a lifecycle are the first of each type in this order, then the second of each. */
const SENT: string[] = [
  "customer.subscription.created",
  "invoice.paid",
  "charge.dispute.created",
  "charge.refunded",
  "customer.subscription.deleted",
  "invoice.payment_failed",
  "checkout.session.completed",
  "customer.subscription.updated",
];

// This test is not about the content of emails, and rendering takes longer than everything else.
vi.mock("@react-email/render", () => ({ render: async () => "a mail" }));

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

/** An event with the provider's answer from when the event was new. */
interface FetchedEvent {
  event: Stripe.Event;
  customerId: string | null;
  snapshot: ProviderSnapshot;
}

const fetched: FetchedEvent[] = [];
let seen = 0;
const lifecycles = await runLifecycles();
const fives = new Map(lifecycles.map((one) => [one, fiveOf(one)]));
const reordered = pickOfEachKind(lifecycles, ({ life }) => life, REORDERED_OF_EACH_KIND);
let ordersTried = 0;

test(`the events of ${LIFECYCLES} lifecycles are of every kind, and each fits its time only (seed ${SEED})`, () => {
  expect(lifecycles).toHaveLength(LIFECYCLES);
  const types = [...fives.values()].flat().map(({ event }): string => event.type);
  expect(SENT.filter((type) => !types.includes(type))).toEqual([]);
  const answers = [...fives.values()].map(
    (five) =>
      new Set(five.flatMap(({ snapshot }) => snapshot.subscriptions).map((each) => JSON.stringify(each)))
        .size,
  );
  expect(answers.filter((count) => count > 1).length).toBeGreaterThan(LIFECYCLES / 2);
  expect(Math.max(...answers)).toBeGreaterThan(2);
});

test(`the responses of ${reordered.length} lifecycles in any of ${ORDERS} orders leave the final state (seed ${SEED})`, async () => {
  await inEachOrder(reordered, soFarAsKnown, async ({ event, snapshot }, isLast) => {
    expect(await receiveEvent(...signed(event))).toMatchObject({ what: "stored" });
    const workers = Array.from({ length: isLast ? 2 : 1 }, () => writeOnce(event.id, snapshot));
    expect((await Promise.all(workers)).filter((effect) => effect !== null)).toHaveLength(1);
  });
}, 600_000);

test(`so do the events of ${reordered.length} lifecycles that are all processed afterwards, in any of ${ORDERS} orders (seed ${SEED})`, async () => {
  // The lifecycles are over.
  cacheAnswers(requireProvider());
  await inEachOrder(reordered, andWhatWasSaid, async ({ event }) => {
    expect(await receiveEvent(...signed(event))).toMatchObject({ what: "stored" });
    expect(await processEvent(event.id)).not.toBeNull();
  });
  const orders = { is: ordersTried, exactly: 2 * REORDERED_OF_EACH_KIND * KINDS * ORDERS };
  expectFigures({ ordersWithTheFinalState: orders });
}, 1_800_000);

/** Resolves when all lifecycles and their consequences are over. */
async function runLifecycles(): Promise<LiveLifecycle[]> {
  control.webhooks({ mode: "hold" });
  const all = await Promise.all(pickLifecycles().map(begin));
  await fetchNew();
  for (const one of all) await doEarly(shop, one);
  await fetchNew();
  for (let step = 0; step < STEPS; step += 1) {
    await control.advance((DAYS_UNTIL_LATE / STEPS) * DAY);
    await fetchNew();
  }
  for (const one of all) await doLate(shop, one);
  await fetchNew();
  for (let step = 0; step < STEPS; step += 1) {
    await control.advance((DAYS_UNTIL_THE_END / STEPS) * DAY);
    await fetchNew();
  }
  return all;
}

function pickLifecycles(): Life[] {
  return pickOfEachKind(sampleLives(500, SEED), (life) => life, OF_EACH_KIND);
}

/** Picks equally many lifecycles with each early action. */
function pickOfEachKind<T>(all: T[], lifeOf: (one: T) => Life, most: number): T[] {
  const counts = new Map<Life["early"], number>();
  return all.filter((one) => {
    const { early } = lifeOf(one);
    const count = (counts.get(early) ?? 0) + 1;
    counts.set(early, count);
    return count <= most;
  });
}

async function begin(life: Life): Promise<LiveLifecycle> {
  const payer = await shop.createPayer();
  const price = life.plan === "monthly" ? shop.monthly.id : shop.yearly.id;
  const trialDays = life.isTrial ? TRIAL_DAYS : undefined;
  return { life, payer, subscriptionId: await shop.buy(payer, { price, trialDays }) };
}

/** Processes every new event, and the new events that this causes. */
async function fetchNew(): Promise<void> {
  const provider = requireProvider();
  for (let news = control.heldBack().slice(seen); news.length > 0; news = control.heldBack().slice(seen)) {
    seen += news.length;
    for (const event of news) {
      const { subject = null, customerId = null } = provider.parseEvent(...signed(event), new Date()) ?? {};
      if (subject === null) continue;
      const snapshot = await fetchAndEnforce(provider, () => fetchForEvent(provider, subject));
      // A dispute names only its charge, not the customer.
      fetched.push({ event, snapshot, customerId: customerId ?? snapshot.charges[0]?.customerId ?? null });
    }
  }
}

function requireProvider(): BillingProvider {
  const provider = currentProvider();
  if (provider === null) throw new Error("Nobody takes payments");
  return provider;
}

/** The chosen events in order of occurrence, including the last with the subscription's data. */
function fiveOf({ payer: { customerId } }: LiveLifecycle): FetchedEvent[] {
  const own = fetched.filter((one) => one.customerId === customerId);
  const last = own.findLast(({ snapshot }) => snapshot.subscriptions.length > 0);
  const rounds = new Map<string, number>();
  const ranked = own
    .filter((one) => one !== last)
    .map((one) => {
      const { type } = one.event;
      const round = rounds.get(type) ?? 0;
      rounds.set(type, round + 1);
      const index = SENT.indexOf(type);
      return { one, rank: round * 100 + (index < 0 ? SENT.length : index) };
    })
    .toSorted((one, other) => one.rank - other.rank);
  const chosen = new Set([last, ...ranked.slice(0, EVENTS - 1).map(({ one }) => one)]);
  const five = own.filter((one) => chosen.has(one));
  expect(five).toHaveLength(EVENTS);
  return five;
}

function signed(event: Stripe.Event): [body: string, headers: Headers] {
  const payload = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
  return [payload, new Headers({ "stripe-signature": signature })];
}

type Process = (one: FetchedEvent, isLast: boolean) => Promise<void>;
type Facts = (rows: KeptRows) => unknown;
interface End {
  order: string[];
  facts: unknown;
}

/** Every lifecycle must end as its model and the provider say, in any order of its events. */
async function inEachOrder(all: LiveLifecycle[], factsOf: Facts, process: Process): Promise<void> {
  const waiting = [...all];
  const processNext = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const ends = await processInEachOrder(one, process, factsOf);
      expect(ends).toHaveLength(ORDERS);
      const [first] = ends;
      await expectAsItMust(one, first?.facts);
      const other = ends.find(({ facts }) => JSON.stringify(facts) !== JSON.stringify(first?.facts));
      const { life } = one;
      if (other) expect({ life, ...other }).toEqual({ life, order: other.order, facts: first?.facts });
      ordersTried += ends.length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, processNext));
}

async function processInEachOrder(one: LiveLifecycle, process: Process, factsOf: Facts): Promise<End[]> {
  const { payer } = one;
  const ends: End[] = [];
  const goOn = async (processed: FetchedEvent[], remaining: FetchedEvent[]): Promise<void> => {
    // The last event needs no saved rows: an earlier restore undoes it.
    const kept = remaining.length === 1 ? null : await keepRows(payer);
    if (remaining.length === 0 && kept) {
      ends.push({ order: processed.map(({ event }) => event.type), facts: factsOf(kept) });
    }
    for (const [index, next] of remaining.entries()) {
      if (index > 0 && kept) await restoreRows(payer, kept, idsOf(remaining));
      await process(next, remaining.length === 1);
      await goOn(
        [...processed, next],
        remaining.filter((other) => other !== next),
      );
    }
  };
  const five = fives.get(one) ?? [];
  const untouched = await keepRows(payer);
  await goOn([], five);
  await restoreRows(payer, untouched, idsOf(five));
  return ends;
}

function idsOf(processed: FetchedEvent[]): string[] {
  return processed.map(({ event }) => event.id);
}

/** All columns of the subscription and the results of its invoices, without the time of the call. */
function soFarAsKnown({ subscriptions, invoices, card, mail_outbox: mails }: KeptRows) {
  const withoutTime = (row: Record<string, unknown>) => ({ ...row, fetched_at: null }) as typeof row;
  return {
    subscriptions: subscriptions.map(withoutTime),
    invoices: invoices.map(withoutTime).sort((one, other) => String(one.id).localeCompare(String(other.id))),
    card,
    receipts: mails.filter(({ kind }) => kind === "billing-receipt").length,
  };
}

function andWhatWasSaid(kept: KeptRows) {
  return {
    ...soFarAsKnown(kept),
    claimed: kept.billing_mails.map(({ key }) => String(key)).sort(),
    mails: kept.mail_outbox.map(({ kind }) => String(kind)).sort(),
  };
}

async function expectAsItMust({ life, subscriptionId }: LiveLifecycle, facts: unknown): Promise<void> {
  const { status } = finalState(life);
  const theirs = await stripe.subscriptions.retrieve(subscriptionId);
  const [item] = theirs.items.data;
  const date = (seconds: number | null | undefined) =>
    seconds ? new Date(seconds * 1000).toISOString().replace(".000Z", "+00:00") : null;
  expect({ life, facts }).toMatchObject({
    facts: {
      subscriptions: [
        {
          id: subscriptionId,
          status,
          cancel_at_period_end: theirs.cancel_at_period_end,
          price_id: item?.price.id,
          current_period_end: date(item?.current_period_end),
          canceled_at: date(theirs.canceled_at),
          ended_at: date(theirs.ended_at),
        },
      ],
    },
  });
  expect(theirs.status).toBe(status);
}
