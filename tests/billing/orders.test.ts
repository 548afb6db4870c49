import Stripe from "stripe";
import { afterAll, expect, test, vi } from "vitest";
import { askAbout } from "#app/domain/billing/ask-about.server.ts";
import type { Findings } from "#app/domain/billing/findings.server.ts";
import { processEvent, writeEvent } from "#app/domain/billing/process-event.server.ts";
import { currentProvider } from "#app/domain/billing/providers/current-provider.server.ts";
import { receiveEvent } from "#app/domain/billing/receive-event.server.ts";
import { type KeptRows, keepRows, restoreRows } from "./kept-rows.ts";
import { DAYS_UNTIL_LATE, DAYS_UNTIL_THE_END, finalState, type Life, sampleLives } from "./life-model.ts";
import { doEarly, doLate, type Lived } from "./live-life.ts";
import { startPaidSite } from "./paid-site.ts";
import { WEBHOOK_SECRET } from "./stand-in-site.ts";

/*
 * Twenty lives are lived, and each event about them is looked into at once, as a quick worker would: what it was answered is
 * kept, with the moment of the question. Then five events of each life are told in all their 120 orders,
 *   first with those answers, which were true when they were given: written in another order than they were asked in,
 *     an old one must not win over a newer one, and two workers with the same event have one effect;
 *   then as if all jobs had waited until the life was over, each asking the provider for itself, in each of the orders
 *     again: nobody is told anything twice, nor anything else than in another order.
 * Orders that begin alike share their beginning: after each event the rows are kept, and put back for the next order.
 */
const OF_EACH_KIND = 2;
const LIVES = 20;
const EVENTS = 5;
const ORDERS = 120;
const AT_ONCE = 4;
const DAY = 86_400;
const TRIAL_DAYS = 7;
const STEPS = 5;
const SEED = Date.now() % 1_000_000;

/** Of which a life's five are the first that it has; then the second of each. */
const TOLD: string[] = [
  "customer.subscription.created",
  "invoice.paid",
  "charge.dispute.created",
  "charge.refunded",
  "customer.subscription.deleted",
  "invoice.payment_failed",
  "checkout.session.completed",
  "customer.subscription.updated",
];

// How a letter looks is not what this is about, and takes longer than all the rest.
vi.mock("@react-email/render", () => ({ render: async () => "a letter" }));

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

/** An event, and what the provider answered when it was new. */
interface Asked {
  event: Stripe.Event;
  customerId: string | null;
  findings: Findings;
}

const asked: Asked[] = [];
let seen = 0;
const lives = await live();
const fives = new Map(lives.map((one) => [one, fiveOf(one)]));

test(`what is told of ${LIVES} lives is of every kind, and true only for its time (seed ${SEED})`, () => {
  expect(lives).toHaveLength(LIVES);
  const types = [...fives.values()].flat().map(({ event }): string => event.type);
  expect(TOLD.filter((type) => !types.includes(type))).toEqual([]);
  const answers = [...fives.values()].map(
    (five) =>
      new Set(five.flatMap(({ findings }) => findings.subscriptions).map((each) => JSON.stringify(each)))
        .size,
  );
  expect(answers.filter((count) => count > 1).length).toBeGreaterThan(LIVES / 2);
  expect(Math.max(...answers)).toBeGreaterThan(2);
});

test(`${LIVES} lives' answers that come in any of ${ORDERS} orders leave what is so (seed ${SEED})`, async () => {
  await inEachOrder(lives, soFarAsKnown, async ({ event, findings }, isLast) => {
    expect(await receiveEvent(...signed(event))).toMatchObject({ what: "stored" });
    const workers = Array.from({ length: isLast ? 2 : 1 }, () => writeEvent(event.id, findings));
    expect((await Promise.all(workers)).filter((effect) => effect !== null)).toHaveLength(1);
  });
}, 600_000);

test(`${LIVES} lives' events that are all looked into afterwards, in any of ${ORDERS} orders, too (seed ${SEED})`, async () => {
  await inEachOrder(lives, andWhatWasSaid, async ({ event }) => {
    expect(await receiveEvent(...signed(event))).toMatchObject({ what: "stored" });
    expect(await processEvent(event.id)).not.toBeNull();
  });
}, 1_800_000);

/** Resolves when all is over that the twenty do and that follows from it. */
async function live(): Promise<Lived[]> {
  control.webhooks({ mode: "hold" });
  const all = await Promise.all(pickLives().map(begin));
  await askForNew();
  for (const one of all) await doEarly(shop, one);
  await askForNew();
  for (let step = 0; step < STEPS; step += 1) {
    await control.advance((DAYS_UNTIL_LATE / STEPS) * DAY);
    await askForNew();
  }
  for (const one of all) await doLate(shop, one);
  await askForNew();
  for (let step = 0; step < STEPS; step += 1) {
    await control.advance((DAYS_UNTIL_THE_END / STEPS) * DAY);
    await askForNew();
  }
  return all;
}

/** As many of every kind of early life. */
function pickLives(): Life[] {
  const counts = new Map<Life["early"], number>();
  return sampleLives(500, SEED).filter(({ early }) => {
    const count = (counts.get(early) ?? 0) + 1;
    counts.set(early, count);
    return count <= OF_EACH_KIND;
  });
}

async function begin(life: Life): Promise<Lived> {
  const payer = await shop.createPayer();
  const price = life.plan === "monthly" ? shop.monthly.id : shop.yearly.id;
  const trialDays = life.isTrial ? TRIAL_DAYS : undefined;
  return { life, payer, subscriptionId: await shop.buy(payer, { price, trialDays }) };
}

/** Looks into every event that is new; what that brings about is new as well. */
async function askForNew(): Promise<void> {
  const provider = currentProvider();
  if (provider === null) throw new Error("Nobody takes payments");
  for (let news = control.held().slice(seen); news.length > 0; news = control.held().slice(seen)) {
    seen += news.length;
    for (const event of news) {
      const { subject, customerId } = provider.parseEvent(...signed(event));
      if (subject.kind === "none") continue;
      const findings = await askAbout(provider, subject);
      // A dispute names nobody but its charge.
      asked.push({ event, findings, customerId: customerId ?? findings.returned[0]?.customerId ?? null });
    }
  }
}

/** In the order in which they happened, the last word about the subscription among them. */
function fiveOf({ payer: { customerId } }: Lived): Asked[] {
  const own = asked.filter((one) => one.customerId === customerId);
  const last = own.findLast(({ findings }) => findings.subscriptions.length > 0);
  const rounds = new Map<string, number>();
  const ranked = own
    .filter((one) => one !== last)
    .map((one) => {
      const { type } = one.event;
      const round = rounds.get(type) ?? 0;
      rounds.set(type, round + 1);
      const place = TOLD.indexOf(type);
      return { one, rank: round * 100 + (place < 0 ? TOLD.length : place) };
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

type Tell = (one: Asked, isLast: boolean) => Promise<void>;
type Facts = (rows: KeptRows) => unknown;
interface End {
  order: string[];
  facts: unknown;
}

/** Every life ends as its model and the provider say, however its five are told. */
async function inEachOrder(all: Lived[], factsOf: Facts, tell: Tell): Promise<void> {
  const waiting = [...all];
  const tellNext = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const ends = await tellInEachOrder(one, tell, factsOf);
      expect(ends).toHaveLength(ORDERS);
      const [first] = ends;
      await expectAsItMust(one, first?.facts);
      const other = ends.find(({ facts }) => JSON.stringify(facts) !== JSON.stringify(first?.facts));
      if (other)
        expect({ life: one.life, ...other }).toEqual({
          life: one.life,
          order: other.order,
          facts: first?.facts,
        });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, tellNext));
}

async function tellInEachOrder(one: Lived, tell: Tell, factsOf: Facts): Promise<End[]> {
  const { payer } = one;
  const ends: End[] = [];
  const goOn = async (told: Asked[], untold: Asked[]): Promise<void> => {
    // What is told last is put back together with what was told before it.
    const kept = untold.length === 1 ? null : await keepRows(payer);
    if (untold.length === 0 && kept) {
      ends.push({ order: told.map(({ event }) => event.type), facts: factsOf(kept) });
    }
    for (const [place, next] of untold.entries()) {
      if (place > 0 && kept) await restoreRows(payer, kept, idsOf(untold));
      await tell(next, untold.length === 1);
      await goOn(
        [...told, next],
        untold.filter((other) => other !== next),
      );
    }
  };
  const five = fives.get(one) ?? [];
  const untouched = await keepRows(payer);
  await goOn([], five);
  await restoreRows(payer, untouched, idsOf(five));
  return ends;
}

function idsOf(told: Asked[]): string[] {
  return told.map(({ event }) => event.id);
}

/** Of the subscription all, of invoices what came of them: not when it was asked for. */
function soFarAsKnown({ subscriptions, invoices, card, mail_outbox: mails }: KeptRows) {
  const withoutTime = (row: Record<string, unknown>): Record<string, unknown> => ({ ...row, read_at: null });
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
    notices: kept.billing_notices.map(({ key }) => String(key)).sort(),
    mails: kept.mail_outbox.map(({ kind }) => String(kind)).sort(),
  };
}

async function expectAsItMust({ life, subscriptionId }: Lived, facts: unknown): Promise<void> {
  const { status } = finalState(life);
  const told = await stripe.subscriptions.retrieve(subscriptionId);
  const [item] = told.items.data;
  const date = (seconds: number | null | undefined) =>
    seconds ? new Date(seconds * 1000).toISOString().replace(".000Z", "+00:00") : null;
  expect({ life, facts }).toMatchObject({
    facts: {
      subscriptions: [
        {
          id: subscriptionId,
          status,
          cancel_at_period_end: told.cancel_at_period_end,
          price_id: item?.price.id,
          current_period_end: date(item?.current_period_end),
          canceled_at: date(told.canceled_at),
          ended_at: date(told.ended_at),
        },
      ],
    },
  });
  expect(told.status).toBe(status);
}
