import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { addDays } from "#app/dates.ts";
import { deleteAccount } from "#app/domain/account/delete-account.server.ts";
import { cleanUpAuth } from "#app/domain/auth/sign-in.server.ts";
import type { TotalKind } from "#app/domain/totals/daily-totals.server.ts";
import { saveProgress } from "#app/domain/viewing/save-progress.server.ts";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { countedDay, dailyTotals } from "#db/schema/totals.ts";
import { begin, bill, id, prepareOffer } from "#tests/support/billing/stored-subscription.ts";
import { createCreator, createOriginal, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember, letDeletionFallDue, signedInCookie } from "#tests/support/people.ts";
import { tasks } from "./tasks.ts";
import { writeDailyTotals } from "./write-daily-totals.ts";

beforeAll(prepareOffer);

const HOUR_MS = 3_600_000;
const UTC = "UTC";
/** All that an earlier test left is counted, and the given moment's day begins. */
async function startAt(now: string | Date, timeZone = UTC) {
  await writeDailyTotals({ now: addDays(new Date(), 400), timeZone });
  await db.delete(dailyTotals);
  await db.delete(countedDay);
  await run(now, timeZone);
  await db.delete(dailyTotals);
}
const run = (now: string | Date, timeZone = UTC) => writeDailyTotals({ now: new Date(now), timeZone });

/** "2026-12-01 signIns 3", sorted; without storage, which every new file of a test changes, unless it is named. */
async function totals(...kinds: TotalKind[]) {
  const rows = await db.select().from(dailyTotals);
  return rows
    .filter(({ kind }) => (kinds.length === 0 ? kind !== "storedBytes" : (kinds as string[]).includes(kind)))
    .map(({ day, kind, key, amount }) => `${day} ${kind}${key && ` ${key}`} ${amount}`)
    .toSorted();
}

async function signIn(at: Date, userId?: string) {
  const owner = userId ?? (await createMember()).id;
  const row = {
    userId: owner,
    device: "Firefox",
    signedInAt: at,
    expiresAt: new Date(at.getTime() + 8 * HOUR_MS),
  };
  await db.insert(sessions).values({ ...row, tokenHash: id("token") });
}

/** Plays raise the counts as the statement of progress does. */
async function raise(mediaId: string, plays: number, completions = 0, seconds = 0) {
  await db.execute(sql`UPDATE media SET play_count = play_count + ${plays} WHERE id = ${mediaId}`);
  await db.execute(sql`
    INSERT INTO media_counts AS c (media_id, watched_seconds, completions)
    VALUES (${mediaId}, ${seconds}, ${completions})
    ON CONFLICT (media_id) DO UPDATE SET watched_seconds = c.watched_seconds + excluded.watched_seconds,
      completions = c.completions + excluded.completions`);
}

/** Writes a subscription's rows of change as they would be on their days. */
async function course(steps: [status: string, at: string][], userId?: string) {
  const { subscription } = await begin(userId === undefined ? {} : { userId });
  for (const [index, [status, at]] of steps.entries())
    await db.execute(sql`INSERT INTO subscription_changes (subscription_id, number, at, status, price_id, is_cancelled)
      VALUES (${subscription.id}, ${index + 1}, ${at}::timestamptz, ${status}::subscription_status, 'monthly', false)`);
  return subscription;
}

test("a day's plays, completions and seconds are written for the item and for each of its creators", async () => {
  const [one, other] = [await createCreator(), await createCreator()];
  const video = await createVideo({ creators: [one.id, other.id] });
  const set = await createPhotoSet({ creators: [one.id] });
  await startAt("2026-12-01T10:00:00Z");
  await raise(video.id, 3, 1, 100.6);
  await raise(set.id, 2, 2);
  await run("2026-12-01T23:59:00Z");
  expect(await totals()).toEqual([]);
  await run("2026-12-02T00:00:00Z");
  expect(await totals()).toEqual(
    [
      `2026-12-01 mediaPlays ${video.id} 3`,
      `2026-12-01 mediaPlays ${set.id} 2`,
      `2026-12-01 mediaCompletions ${video.id} 1`,
      `2026-12-01 mediaCompletions ${set.id} 2`,
      `2026-12-01 mediaSeconds ${video.id} 100`,
      `2026-12-01 creatorPlays ${one.id} 5`,
      `2026-12-01 creatorPlays ${other.id} 3`,
      `2026-12-01 creatorCompletions ${one.id} 3`,
      `2026-12-01 creatorCompletions ${other.id} 1`,
      `2026-12-01 creatorSeconds ${one.id} 100`,
      `2026-12-01 creatorSeconds ${other.id} 100`,
    ].toSorted(),
  );
  // The part of a second waits for the rest of it.
  await raise(video.id, 0, 0, 0.5);
  await run("2026-12-03T00:00:00Z");
  expect(await totals("mediaSeconds")).toEqual([
    `2026-12-01 mediaSeconds ${video.id} 100`,
    `2026-12-02 mediaSeconds ${video.id} 1`,
  ]);
});

test("reports of progress reach the day's totals", async () => {
  const { id: mediaId } = await createVideo({ durationSeconds: 600 });
  await startAt("2026-12-01T10:00:00Z");
  const { id: userId } = await createMember();
  await saveProgress({ userId, mediaId, progress: 560 });
  await db.execute(
    sql`UPDATE views SET last_viewed_at = now() - interval '30 seconds' WHERE user_id = ${userId}`,
  );
  await saveProgress({ userId, mediaId, progress: 580 });
  await run("2026-12-02T00:00:00Z");
  expect(await totals()).toEqual([
    `2026-12-01 mediaCompletions ${mediaId} 1`,
    `2026-12-01 mediaPlays ${mediaId} 1`,
    `2026-12-01 mediaSeconds ${mediaId} 20`,
  ]);
});

test("the same night again, many times and from several workers at once, adds nothing", async () => {
  const { id: mediaId } = await createVideo();
  await startAt("2026-12-01T10:00:00Z");
  await raise(mediaId, 4);
  await signIn(new Date("2026-12-01T12:00:00Z"));
  await course([["active", "2026-12-01T12:00:00Z"]]);
  await Promise.all(Array.from({ length: 6 }, () => run("2026-12-02T00:00:00Z")));
  for (const minute of ["00", "15", "30", "45"]) await run(`2026-12-02T05:${minute}:00Z`);
  // A clock that was corrected closes no day twice.
  await run("2026-12-01T23:30:00Z");
  await run("2026-12-02T00:30:00Z");
  expect(await totals()).toEqual([
    "2026-12-01 beginnings monthly 1",
    `2026-12-01 mediaPlays ${mediaId} 4`,
    "2026-12-01 signIns 1",
  ]);
});

test("trials, beginnings and endings are counted on their days, by plan", async () => {
  await startAt("2026-12-01T10:00:00Z");
  await course([
    ["trialing", "2026-12-02T12:00:00Z"],
    ["active", "2026-12-09T12:00:00Z"],
    ["past_due", "2026-12-20T12:00:00Z"],
    ["active", "2026-12-21T12:00:00Z"],
    ["canceled", "2026-12-30T12:00:00Z"],
  ]);
  await course([
    ["trialing", "2026-12-02T13:00:00Z"],
    ["canceled", "2026-12-05T12:00:00Z"],
  ]);
  await course([
    ["incomplete", "2026-12-02T12:00:00Z"],
    ["active", "2026-12-03T12:00:00Z"],
  ]);
  await course([
    ["incomplete", "2026-12-02T12:00:00Z"],
    ["incomplete_expired", "2026-12-03T12:00:00Z"],
  ]);
  await run("2026-12-10T00:00:00Z");
  await run("2027-01-02T00:00:00Z");
  expect(await totals()).toEqual([
    "2026-12-02 trialsBegun monthly 2",
    "2026-12-03 beginnings monthly 1",
    "2026-12-09 beginnings monthly 1",
    "2026-12-09 trialsKept monthly 1",
    "2026-12-30 endings monthly 1",
  ]);
});

test("money is counted when it came, by currency and plan, and a refund when it is seen", async () => {
  await startAt("2026-12-01T10:00:00Z");
  const { subscription } = await begin();
  const at = (day: number) => new Date(Date.UTC(2026, 11, day, 12));
  const invoice = await bill(subscription, { paidAt: at(2), amountPaid: 1499 });
  await bill(subscription, { paidAt: at(2), amountPaid: 1000 });
  await bill(subscription, { paidAt: at(3), amountPaid: 900, currency: "eur" });
  await bill(subscription, { paidAt: null, amountPaid: 0, status: "open" });
  await run("2026-12-04T00:00:00Z");
  await db.execute(sql`UPDATE invoices SET amount_refunded = 500 WHERE id = ${invoice.id}`);
  await run("2026-12-08T09:15:00Z");
  // A bank's money that is heard of late belongs to the day on which it came.
  await bill(subscription, { paidAt: at(2), amountPaid: 1 });
  await run("2026-12-09T00:00:00Z");
  expect(await totals()).toEqual([
    "2026-12-02 paid usd monthly 2500",
    "2026-12-03 paid eur monthly 900",
    "2026-12-08 refunded usd monthly 500",
  ]);
});

test("storage is counted as growth, whose total is the size", async () => {
  await startAt("2026-12-01T10:00:00Z");
  await run("2026-12-02T00:00:00Z");
  const video = await createVideo();
  await db.execute(sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs)
    VALUES (${video.id}, 'x.bin', 'x', 'video/mp4', 5000, 'x', 0, 'view')`);
  await createOriginal(video.id, Buffer.alloc(700));
  await run("2026-12-03T00:00:00Z");
  await db.execute(sql`DELETE FROM media_files WHERE name = 'x.bin'`);
  await run("2026-12-05T00:00:00Z");
  const [size] = await db.execute<{ bytes: number }>(
    sql`SELECT sum(bytes)::float8 AS bytes
      FROM (SELECT bytes FROM media_files UNION ALL SELECT bytes FROM creator_files) AS files`,
  );
  const rows = await db.select().from(dailyTotals);
  const stored = rows.filter(({ kind }) => kind === "storedBytes");
  expect(stored.reduce((sum, { amount }) => sum + amount, 0)).toBe(size?.bytes);
  expect(stored.find(({ day }) => day === "2026-12-03")?.amount).toBe(-5000);
  const originals = rows.filter(({ kind }) => kind === "originalBytes");
  expect(originals.map(({ day, amount }) => [day, amount])).toEqual([["2026-12-02", 700]]);
  await db.execute(sql`DELETE FROM media_originals`);
});

test("after a week without the site, dated events are on their days and plays on the last day on which it ran", async () => {
  const { id: mediaId } = await createVideo();
  await startAt("2026-12-01T10:00:00Z");
  await run("2026-12-02T00:00:00Z");
  await raise(mediaId, 7);
  await signIn(new Date("2026-12-02T14:00:00Z"));
  // The container stops here. Trials end and money comes meanwhile.
  await course([
    ["trialing", "2026-12-02T14:00:00Z"],
    ["active", "2026-12-05T14:00:00Z"],
    ["canceled", "2026-12-07T14:00:00Z"],
  ]);
  await bill((await begin()).subscription, { paidAt: new Date("2026-12-06T12:00:00Z") });
  await run("2026-12-09T09:00:00Z");
  await raise(mediaId, 2);
  await run("2026-12-10T00:00:00Z");
  expect(await totals()).toEqual([
    `2026-12-02 mediaPlays ${mediaId} 7`,
    "2026-12-02 signIns 1",
    "2026-12-02 trialsBegun monthly 1",
    "2026-12-05 beginnings monthly 1",
    "2026-12-05 trialsKept monthly 1",
    "2026-12-06 paid usd monthly 1499",
    "2026-12-07 endings monthly 1",
    `2026-12-09 mediaPlays ${mediaId} 2`,
  ]);
});

test("the clean-up leaves sessions until they are counted", async () => {
  await startAt(new Date());
  const { id: userId } = await createMember();
  const at = addDays(new Date(), -5);
  await signIn(at, userId);
  const left = () => db.$count(sessions, sql`user_id = ${userId}`);
  await cleanUpAuth();
  expect(await left()).toBe(1);
  await run(new Date());
  expect(await totals("signIns")).toEqual([`${at.toISOString().slice(0, 10)} signIns 1`]);
  await cleanUpAuth();
  expect(await left()).toBe(0);
});

test("an account that is deleted before midnight stays in the totals without naming a person", async () => {
  const { id: mediaId } = await createVideo();
  const today = new Date();
  const day = today.toISOString().slice(0, 10);
  await startAt(addDays(today, -1));
  const member = await createMember();
  await signedInCookie(member.id);
  const subscription = await course([["active", addDays(today, -1).toISOString()]], member.id);
  await bill({ ...subscription, userId: member.id }, { paidAt: today, amountPaid: 1499 });
  await saveProgress({ userId: member.id, mediaId, progress: 5 });
  await letDeletionFallDue(member.id);
  expect(await deleteAccount(member.id)).toBe("deleted");
  await run(addDays(today, 1));
  const yesterday = addDays(today, -1).toISOString().slice(0, 10);
  expect(await totals()).toEqual(
    [
      `${yesterday} beginnings monthly 1`,
      `${yesterday} mediaPlays ${mediaId} 1`,
      `${day} paid usd monthly 1499`,
      `${day} signIns 1`,
    ].toSorted(),
  );
  const stored = JSON.stringify(await db.select().from(dailyTotals));
  for (const own of [member.id, member.email, subscription.id]) expect(stored).not.toContain(own);
});

test("each event is on its day in the site's time zone, also around the night in which its clocks change", async () => {
  await startAt("2026-10-29T08:00:00Z", "Africa/Cairo");
  // 23:30 comes twice there, and then midnight.
  for (const at of ["20:30", "21:30", "22:30"]) await signIn(new Date(`2026-10-29T${at}:00Z`));
  await run("2026-10-31T00:00:00Z", "Africa/Cairo");
  expect(await totals("signIns")).toEqual(["2026-10-29 signIns 2", "2026-10-30 signIns 1"]);
});

test("the worker's job writes them by the database's clock and the site's time zone", async () => {
  await startAt(addDays(new Date(), -1), config.timeZone);
  await signIn(addDays(new Date(), -1));
  await tasks["write-daily-totals"]();
  expect(await totals("signIns")).toEqual([expect.stringMatching(/ signIns 1$/)]);
  const [open] = await db.select().from(countedDay);
  expect(open?.day).toBe(new Intl.DateTimeFormat("en-CA", { timeZone: config.timeZone }).format(new Date()));
});
