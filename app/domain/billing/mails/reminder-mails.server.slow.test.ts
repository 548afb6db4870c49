import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, formatMinute } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { billingMails } from "#db/schema/billing-mails.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { prices } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import {
  begin,
  change,
  expectDiscreetMails,
  id,
  inDays,
  mailSubscription,
  newest,
  prepareOffer,
  subjects,
} from "#tests/support/billing/stored-subscription.ts";
import { sendDueMails } from "./reminder-mails.server.ts";

beforeEach(prepareOffer);

test.each([
  ["day", 1, false],
  ["day", 363, false],
  ["day", 364, true],
  ["day", 365, true],
  ["week", 51, false],
  ["week", 52, true],
  ["month", 1, false],
  ["month", 11, false],
  ["month", 12, true],
  ["month", 24, true],
  ["year", 1, true],
  ["year", 3, true],
] as const)(
  "a plan of %s × %i is announced before it renews: %s",
  async (interval, intervalCount, isMailed) => {
    const priceId = `every_${intervalCount}_${interval}`;
    const price = { id: priceId, productId: "prod_letters", currency: "usd", unitAmount: 100, interval };
    await db.insert(prices).values({ ...price, intervalCount });
    // Plans without an email before each renewal get a yearly reminder.
    const { email } = await begin({ priceId, created: inDays(-370), currentPeriodEnd: inDays(20) });
    await sendDueMails();
    const renews = expect.stringMatching(/^Peony: Your subscription renews on /);
    expect(await subjects(email)).toEqual([isMailed ? renews : "Peony: Your yearly subscription reminder"]);
  },
);

test("in 400 days each reminder is sent once, on its day", async () => {
  const start = inDays(0);
  const day = (days: number) => new Date(start.getTime() + days * DAY_MS);
  const trial = {
    status: "trialing",
    trialStart: start,
    trialEnd: day(14),
    currentPeriodEnd: day(14),
  } as const;
  const trialing = await begin({ ...trial, created: start });
  const yearly = await begin({ priceId: "yearly", created: start, currentPeriodEnd: day(365) });
  const monthly = await begin({ created: start, currentPeriodEnd: day(30) });
  const cancellation = await begin({
    priceId: "yearly",
    cancelAtPeriodEnd: true,
    currentPeriodEnd: day(365),
  });
  const anniversary = (new Date(start).setUTCFullYear(start.getUTCFullYear() + 1) - start.getTime()) / DAY_MS;
  const mailedOn: Record<string, number[]> = {};
  const people = { trialing, yearly, monthly, cancellation };
  for (let now = 0; now <= 400; now += 1) {
    for (const { subscription } of [monthly, yearly]) {
      if (subscription.currentPeriodEnd > day(now)) continue;
      const length = subscription.priceId === "yearly" ? 365 : 30;
      subscription.currentPeriodEnd = day(now + length);
      const renewed = { currentPeriodEnd: subscription.currentPeriodEnd };
      await db.update(subscriptions).set(renewed).where(eq(subscriptions.id, subscription.id));
    }
    for (let run = 0; run < (now % 50 === 0 ? 24 : 1); run += 1) await sendDueMails(day(now + run / 24));
    for (const [who, { email }] of Object.entries(people)) {
      const all = await db.$count(mailOutbox, eq(mailOutbox.to, email));
      const days = mailedOn[who] ?? [];
      mailedOn[who] = [...days, ...Array<number>(all - days.length).fill(now)];
    }
  }
  expect(mailedOn).toEqual({ trialing: [7], yearly: [335], monthly: [anniversary], cancellation: [] });
  expect(await subjects(yearly.email)).toEqual([
    expect.stringMatching(/^Peony: Your subscription renews on /),
  ]);
  expect(await subjects(monthly.email)).toEqual(["Peony: Your yearly subscription reminder"]);
}, 120_000);

test("no renewal is announced while payments are paused, nor for a trial without a payment method", async () => {
  const yearly = { priceId: "yearly", currentPeriodEnd: inDays(20) };
  const paused = await begin({ ...yearly, collectionPause: "void" });
  const later = await begin({ ...yearly, collectionPause: "void", collectionResumesAt: inDays(21) });
  const before = await begin({ ...yearly, collectionPause: "void", collectionResumesAt: inDays(19) });
  const old = { created: inDays(-370), currentPeriodEnd: inDays(20) };
  const oldPaused = await begin({ ...old, collectionPause: "keep_as_draft" });
  const trial = { status: "trialing", trialEnd: inDays(5), currentPeriodEnd: inDays(5) } as const;
  const cardless = await begin({ ...trial, trialEndWithoutCard: "cancel" });
  const pausedTrial = await begin({ ...trial, collectionPause: "mark_uncollectible" });
  await sendDueMails();
  for (const { email } of [paused, later, oldPaused, pausedTrial]) expect(await subjects(email)).toEqual([]);
  expect(await subjects(before.email)).toEqual([expect.stringContaining("renews on")]);
  expect(await subjects(cardless.email)).toEqual([expect.stringContaining("Your trial ends on")]);
  const { text } = await newest(cardless.email);
  expect(text).toContain(
    "There is no payment method on file, so your subscription ends on that day and you will not be charged.",
  );
  expect(text).toContain("None, because there is no payment method on file");
  expect(text).not.toContain("starts automatically");
});

test("a deadline is named to the minute, in UTC", async () => {
  const end = inDays(6);
  const before = `before ${formatMinute(end)}`;
  const trial = { status: "trialing", trialStart: inDays(-8), trialEnd: end, currentPeriodEnd: end } as const;
  const begun = await begin({ ...trial, created: inDays(0), trialStart: inDays(0) });
  await mailSubscription(begun.subscription);
  expect((await newest(begun.email)).text).toContain(`If you cancel ${before}, you will not be charged.`);

  const trialing = await begin({ ...trial, created: inDays(-8) });
  const cardless = await begin({ ...trial, created: inDays(-8), trialEndWithoutCard: "pause" });
  const yearly = await begin({ priceId: "yearly", currentPeriodEnd: end });
  await sendDueMails();
  const paused = await begin({ collectionPause: "void", currentPeriodEnd: end });
  await change(paused.subscription, { collectionPause: null });
  const says: [{ email: string }, string][] = [
    [trialing, `If you do not want it, cancel ${before} and you will not be charged.`],
    [cardless, `add a payment method in your account ${before}.`],
    [yearly, `If you do not want it to renew, cancel ${before}.`],
    [paused, `If you do not want it to renew, cancel ${before}.`],
  ];
  for (const [{ email }, words] of says) expect((await newest(email)).text).toContain(words);
});

test("more reminders than fit into one transaction are all sent", async () => {
  const { userId, email } = await begin({ priceId: "yearly", currentPeriodEnd: inDays(90) });
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  if (!row) throw new Error("Nothing was stored");
  const many = Array.from({ length: 205 }, () => ({ ...row, id: id("sub"), currentPeriodEnd: inDays(20) }));
  await db.insert(subscriptions).values(many);
  expect(await sendDueMails()).toBe(205);
  expect(await sendDueMails()).toBe(0);
  expect(await subjects(email)).toHaveLength(205);
  expect(await db.$count(billingMails, eq(billingMails.userId, userId))).toBe(205);
});

test("subjects and emails do not say what the site shows", () => expectDiscreetMails(11));
