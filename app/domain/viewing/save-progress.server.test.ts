import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { findMedia } from "#app/domain/catalog/media/media.server.ts";
import { db } from "#db/client.server.ts";
import { readRows } from "#db/rows.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import { continueRows } from "./history.server.ts";
import { saveProgress } from "./save-progress.server.ts";
import { hideFromContinue, markAsCompleted, startOver } from "./view-actions.server.ts";
import { ViewedRow, viewedCard } from "./viewed-card.server.ts";

async function playing(given: Parameters<typeof createVideo>[0] = {}) {
  const [member, media] = await Promise.all([createMember(), createVideo(given)]);
  const report = (progress: number, sequence?: number) =>
    saveProgress({ userId: member.id, mediaId: media.id, progress, ...(sequence ? { sequence } : {}) });
  const stored = async () => (await findMedia("video", media.slug, member.id))?.own.progress;
  return { userId: member.id, mediaId: media.id, report, stored };
}

async function continued(userId: string) {
  const viewer = { isAdult: true, user: { role: "member" as const }, subscription: null };
  const rows = await readRows(db, ViewedRow)`${continueRows(userId)}`;
  return rows.map((row) => viewedCard(viewer, row)).map(({ card, resumeAt }) => [card.id, resumeAt]);
}

test("progress is stored, moved forward and returned with the specification's fields", async () => {
  const { userId, mediaId, report, stored } = await playing({ durationSeconds: 600 });
  expect(await report(83.4)).toEqual({
    id: expect.any(String),
    mediaId,
    userId,
    progress: 83.4,
    isCompleted: false,
  });
  expect(await report(120)).toMatchObject({ progress: 120 });
  expect(await stored()).toEqual({ progress: 120, isCompleted: false });
});

test("a late report never replaces newer progress, and a clock ahead of ours does not lock the others out", async () => {
  const { report, stored } = await playing();
  const now = Date.now();
  await report(200, now - 5000);
  expect(await report(150, now - 9000)).toMatchObject({ progress: 200 });
  expect(await report(150, now - 5000)).toMatchObject({ progress: 200 });
  await report(210, now + 3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await report(220)).toMatchObject({ progress: 220 });
  expect(await stored()).toMatchObject({ progress: 220 });
});

test("fifty reports in any order leave the newest progress", async () => {
  const { report, stored } = await playing();
  const now = Date.now() - 1000;
  const order = Array.from({ length: 50 }, (_, index) => (index * 37) % 50);
  await Promise.all(order.map((index) => report(100 + index, now + index)));
  expect(await stored()).toMatchObject({ progress: 149 });
});

test.each([
  [600, 569, false],
  [600, 570, true],
  [200, 179, false],
  [200, 180, true],
  [40, 25, false],
  [40, 38, true],
  [8, 0.5, false],
])("in a video of %d s, progress %d completes it: %s", async (durationSeconds, progress, isCompleted) => {
  const { report } = await playing({ durationSeconds });
  expect(await report(progress)).toMatchObject({ isCompleted });
});

test("progress past 30 s is not replaced by progress before 10 s, unless started over", async () => {
  const { userId, mediaId, report, stored } = await playing();
  await report(45);
  expect(await report(3)).toMatchObject({ progress: 45 });
  expect(await report(12)).toMatchObject({ progress: 12 });
  await report(45);
  await startOver(userId, mediaId);
  expect(await stored()).toEqual({ progress: 0, isCompleted: false });
  expect(await report(3)).toMatchObject({ progress: 3 });
});

test("a completed video stays completed after a short look, and reopens once its first half is played", async () => {
  const { userId, report, stored } = await playing();
  await report(600);
  expect(await continued(userId)).toEqual([]);
  await report(4);
  await report(400);
  expect(await stored()).toEqual({ progress: 600, isCompleted: true });
  expect(await report(60)).toMatchObject({ progress: 60, isCompleted: false });
});

test("progress beyond the media's length is clamped, and progress of unknown media is not stored", async () => {
  const { userId, report } = await playing();
  expect(await report(99_999)).toMatchObject({ progress: 600 });
  const nothing = "00000000-0000-4000-8000-000000000000";
  expect(await saveProgress({ userId, mediaId: nothing, progress: 1 })).toBeNull();
});

test.each([
  ["video without a length", () => createVideo()],
  ["photo set without a number of photos", () => createPhotoSet()],
] as const)("progress in a %s is stored as its beginning, and completes nothing", async (_, create) => {
  const [{ id: userId }, { id: mediaId }] = [await createMember(), await create()];
  await db.execute(sql`UPDATE media SET duration_seconds = NULL, photo_count = NULL WHERE id = ${mediaId}`);
  for (const progress of [5, 7]) {
    expect(await saveProgress({ userId, mediaId, progress })).toMatchObject({
      progress: 0,
      isCompleted: false,
    });
  }
  expect((await countsOf(mediaId)).completions).toBe(0);
});

test("a set keeps the last photo opened, and its final photo completes it", async () => {
  const member = await createMember();
  const set = await createPhotoSet({ photos: 12 });
  const report = (progress: number) => saveProgress({ userId: member.id, mediaId: set.id, progress });
  await report(7);
  expect(await report(3)).toMatchObject({ progress: 3, isCompleted: false });
  expect(await continued(member.id)).toEqual([[set.id, 3]]);
  expect(await report(12)).toMatchObject({ isCompleted: true });
  expect(await report(11)).toMatchObject({ isCompleted: true });
  expect(await report(2)).toMatchObject({ progress: 2, isCompleted: false });
});

test("a report without a time counts, even in the millisecond of the one before", async () => {
  const member = await createMember();
  const set = await createPhotoSet({ photos: 12 });
  for (let turn = 0; turn < 100; turn += 1) {
    const progress = 1 + (turn % 5);
    expect(await saveProgress({ userId: member.id, mediaId: set.id, progress })).toMatchObject({ progress });
  }
});

test("Continue mixes videos and sets, last viewed first, without hidden, completed or taken down media", async () => {
  const { id: userId } = await createMember();
  const items = [
    await createVideo(),
    await createPhotoSet({ photos: 9 }),
    await createVideo(),
    await createVideo(),
  ];
  for (const { id } of items) {
    await saveProgress({ userId, mediaId: id, progress: 5 });
  }
  const [video, set, hidden, completed] = items.map(({ id }) => id) as [string, string, string, string];
  await hideFromContinue(userId, hidden);
  await markAsCompleted(userId, completed);
  expect(await continued(userId)).toEqual([
    [set, 5],
    [video, 5],
  ]);
  await saveProgress({ userId, mediaId: hidden, progress: 6 });
  expect(await continued(userId)).toHaveLength(3);
  await db.execute(sql`UPDATE media SET status = 'takenDown' WHERE id = ${video}`);
  expect(await continued(userId)).toEqual([
    [hidden, 6],
    [set, 5],
  ]);
});

test("reports at once after a pause are one play", async () => {
  const { userId, mediaId, report } = await playing();
  await report(10);
  await db.execute(
    sql`UPDATE views SET last_viewed_at = now() - interval '2 hours' WHERE user_id = ${userId}`,
  );
  const now = Date.now();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => report(100 + index, now + index)),
  );
  expect(answers.filter((answer) => answer === null)).toEqual([]);
  const [row] = await db.execute<{ plays: number }>(
    sql`SELECT play_count AS plays FROM media WHERE id = ${mediaId}`,
  );
  expect(row?.plays).toBe(2);
});

test("a play counts once, however many reports it sends, and once more after a pause", async () => {
  const { userId, mediaId, report } = await playing();
  const counts = async () => {
    const [row] = await db.execute<{ own: number; all: number }>(sql`
      SELECT v.play_count AS own, m.play_count AS all FROM views v JOIN media m ON m.id = v.media_id
      WHERE v.user_id = ${userId} AND v.media_id = ${mediaId}`);
    return [row?.own, row?.all];
  };
  const now = Date.now() - 1000;
  await Promise.all(Array.from({ length: 20 }, (_, index) => report(index, now + index)));
  expect(await counts()).toEqual([1, 1]);
  await db.execute(
    sql`UPDATE views SET last_viewed_at = now() - interval '2 hours' WHERE user_id = ${userId}`,
  );
  await report(50);
  await report(60);
  expect(await counts()).toEqual([2, 2]);
});

async function countsOf(mediaId: string) {
  const [row] = await db.execute<{ seconds: number; completions: number }>(
    sql`SELECT watched_seconds AS seconds, completions FROM media_counts WHERE media_id = ${mediaId}`,
  );
  return row ?? { seconds: 0, completions: 0 };
}
/** Simulates that the last report came so long ago. */
const letPass = (userId: string, seconds: number) =>
  db.execute(sql`UPDATE views SET last_viewed_at = last_viewed_at - make_interval(secs => ${seconds})
    WHERE user_id = ${userId}`);

test("watched seconds rise by what was played, and by no more than the time that has passed", async () => {
  const { userId, mediaId, report } = await playing();
  await report(100);
  expect((await countsOf(mediaId)).seconds).toBe(0);
  await letPass(userId, 60);
  await report(110);
  expect((await countsOf(mediaId)).seconds).toBeCloseTo(10, 6);
  // It was wound forward.
  await letPass(userId, 10);
  await report(400);
  const wound = (await countsOf(mediaId)).seconds;
  expect(wound).toBeGreaterThanOrEqual(20);
  expect(wound).toBeLessThan(110);
  // It was wound back, and twenty seconds are played from there.
  await letPass(userId, 5);
  await report(50);
  await letPass(userId, 60);
  await report(70);
  expect((await countsOf(mediaId)).seconds).toBeCloseTo(wound + 20, 6);
});

test("a completed video that is watched again past its middle counts what is watched of it", async () => {
  const { userId, mediaId, report } = await playing({ durationSeconds: 600 });
  await report(600);
  await letPass(userId, 2 * 3600);
  await report(400);
  await letPass(userId, 60);
  expect(await report(450)).toMatchObject({ progress: 600, isCompleted: true });
  expect((await countsOf(mediaId)).seconds).toBeCloseTo(50, 6);
});

test("a repeated or late report adds no watched seconds, and a new play counts from its first report on", async () => {
  const { userId, mediaId, report } = await playing();
  const now = Date.now() - 10_000;
  await report(100, now);
  await letPass(userId, 600);
  await report(110, now + 1000);
  for (const [progress, sequence] of [
    [110, now + 1000],
    [140, now + 1000],
    [105, now + 500],
  ] as const) {
    await letPass(userId, 600);
    await report(progress, sequence);
  }
  expect((await countsOf(mediaId)).seconds).toBeCloseTo(10, 6);
  await letPass(userId, 2 * 3600);
  await report(300, now + 2000);
  expect((await countsOf(mediaId)).seconds).toBeCloseTo(10, 6);
  await letPass(userId, 600);
  await report(310, now + 3000);
  expect((await countsOf(mediaId)).seconds).toBeCloseTo(20, 6);
});

test.each([
  ["video", () => createVideo({ durationSeconds: 600 }), 600, 60],
  ["photo set", () => createPhotoSet({ photos: 12 }), 12, 2],
] as const)(
  "each play of a %s completes once, however often its end is reached",
  async (_, create, end, early) => {
    const [{ id: userId }, { id: mediaId }] = [await createMember(), await create()];
    const report = (progress: number) => saveProgress({ userId, mediaId, progress });
    await report(early);
    for (const progress of [end, end, early, end]) await report(progress);
    await startOver(userId, mediaId);
    await report(end);
    expect((await countsOf(mediaId)).completions).toBe(1);
    await letPass(userId, 2 * 3600);
    await report(early);
    expect((await countsOf(mediaId)).completions).toBe(1);
    await report(end);
    await report(end);
    expect((await countsOf(mediaId)).completions).toBe(2);
  },
);
