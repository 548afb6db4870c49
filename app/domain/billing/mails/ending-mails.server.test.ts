import { beforeEach, expect, test } from "vitest";
import { formatMinute } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import {
  begin,
  expectDiscreetMails,
  id,
  inDays,
  mailSubscription,
  newest,
  prepareOffer,
  subjects,
} from "#tests/support/billing/stored-subscription.ts";
import { sendDueMails } from "./reminder-mails.server.ts";

const MOVED = { cancelAtPeriodEnd: true, canceledAt: inDays(0), renewalEndedBy: "site" } as const;
const NONE: string[] = [];

beforeEach(prepareOffer);

async function after(days: number) {
  await sendDueMails(inDays(days));
}

const PREPAID = { provider: "btcpay", isPrepaid: true, currentPeriodStart: inDays(-24) } as const;

async function subscribeAgain(userId: string, given: Partial<typeof subscriptions.$inferInsert>) {
  const next = { id: id("sub"), userId, provider: "other", priceId: "monthly", status: "active" as const };
  const period = { currentPeriodStart: inDays(0), currentPeriodEnd: inDays(30) };
  await db.insert(subscriptions).values({ ...next, ...period, ...given });
}

test("an end by the site is announced a week and a day before, once each", async () => {
  const moved = await begin({ ...MOVED, currentPeriodEnd: inDays(20) });
  const canceled = await begin({ ...MOVED, renewalEndedBy: null, currentPeriodEnd: inDays(20) });
  const before = await begin({ ...MOVED, renewalEndedBy: "member", currentPeriodEnd: inDays(20) });
  await after(12.9);
  expect(await subjects(moved.email)).toEqual(NONE);
  for (const days of [13, 14, 17.9, 18.1, 18.9]) await after(days);
  const ends = expect.stringMatching(/^Peony: Your subscription ends on /);
  expect(await subjects(moved.email)).toEqual([ends]);
  const from = formatMinute(inDays(18)).slice(0, -6);
  expect((await newest(moved.email)).text.replaceAll(/\s+/g, " ")).toContain(`subscribe again from ${from}`);
  for (const days of [19, 19.5, 20.1]) await after(days);
  expect(await subjects(moved.email)).toEqual([ends, ends]);
  expect((await newest(moved.email)).text).toContain("/subscribe");
  expect([await subjects(canceled.email), await subjects(before.email)]).toEqual([NONE, NONE]);
  await expectDiscreetMails(2);
});

test("one that is unknown to its provider for a day is announced, and one of an hour is not", async () => {
  const closed = await begin({ unknownSince: inDays(-1.1), currentPeriodEnd: inDays(5) });
  const new_ = await begin({ unknownSince: inDays(-0.04), currentPeriodEnd: inDays(5) });
  await sendDueMails();
  expect(await subjects(new_.email)).toEqual(NONE);
  const { text } = await newest(closed.email);
  expect(text).toContain("a payment account that this site no longer uses");
  expect(text).toContain("/subscribe");
});

test("nobody who has subscribed again is reminded, or told of an end", async () => {
  const { subscription, email, userId } = await begin({ ...MOVED, currentPeriodEnd: inDays(0.5) });
  await subscribeAgain(userId, { currentPeriodEnd: inDays(0.1) });
  await sendDueMails();
  const ended = { ...subscription, status: "canceled" as const, endedAt: inDays(0) };
  await mailSubscription(ended, subscription);
  expect(await subjects(email)).toEqual(NONE);
});

test("nobody who has subscribed elsewhere is told to pay for another period", async () => {
  const paid = { ...PREPAID, currentPeriodEnd: inDays(6) };
  const [alone, again] = [await begin(paid), await begin(paid)];
  await subscribeAgain(again.userId, {});
  await sendDueMails();
  const from = formatMinute(inDays(4)).slice(0, -6);
  const [first, second] = [await newest(alone.email), await after(5.5).then(() => newest(alone.email))];
  // Its provider does not sell here now, so a new subscription would begin at once.
  for (const { text } of [first, second]) expect(text).not.toContain("added at the end");
  expect(first.text.replaceAll(/\s+/g, " ")).toContain(`subscribe again from ${from}`);
  expect(second.text).toContain("Subscribe again");
  expect(await subjects(alone.email)).toHaveLength(2);
  expect(await subjects(again.email)).toEqual(NONE);
});

test("a prepaid period that ends earlier takes no reminder away, because it does not renew", async () => {
  const { email, userId } = await begin({ ...MOVED, currentPeriodEnd: inDays(6) });
  // So short that it has no reminder of its own.
  const short = { currentPeriodStart: inDays(0), currentPeriodEnd: inDays(5) };
  await subscribeAgain(userId, { ...PREPAID, ...short });
  await sendDueMails();
  expect(await subjects(email)).toHaveLength(1);
});

test("an email about the end of the renewal takes the place of a reminder that would follow at once", async () => {
  const soon = await begin({ ...MOVED, currentPeriodEnd: inDays(6) });
  await mailSubscription(soon.subscription);
  await sendDueMails();
  const ends = expect.stringMatching(/^Peony: Your subscription ends on /);
  expect(await subjects(soon.email)).toEqual([ends]);
  expect((await newest(soon.email)).text).not.toMatch(/cancell?ed|cancellation/i);
  await after(5);
  expect(await subjects(soon.email)).toEqual([ends, ends]);
});
