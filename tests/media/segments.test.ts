import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { LIMITS } from "#app/domain/auth/rate-limits.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startStatementCounter } from "../support/database/statement-counter.ts";
import { addFile, cookiesOf, startBytesSite } from "../support/media-site.ts";
import { type Site, startSite } from "../support/site.ts";

/** As long as a segment. */
const STEP_MS = 4_000;
/** A player's, in ten seconds. */
const PACE = 12;
/** An announcement takes milliseconds; a decision that is not announced is kept ten seconds, which do not pass here. */
const ANNOUNCED_WITHIN_MS = 3_000;

const statements = await startStatementCounter(process.env.DATABASE_URL ?? "");
const clock = {
  NODE_OPTIONS: `--import=${new URL("../support/process/stepped-clock.mjs", import.meta.url).href}`,
  CLOCK_STEP_MS: String(STEP_MS),
};
const { site, storage, dataDir } = await startBytesSite({ ...clock, DATABASE_URL: statements.url });
const secondSite = await startSite({ dataDir, env: { SESSION_SECRET: config.session.secret } });
const rung = { name: "rung-720.mp4" };
const video = await addFile(storage, Buffer.alloc(4_000, 7), {}, rung);
const smaller = await addPart("rung-360.mp4");
const audio = await addPart("rung-sound-1.mp4");
afterAll(async () => {
  await Promise.all([site.stop(), secondSite.stop()]);
  statements.stop();
});
beforeEach(() => db.delete(rateLimits));

test("a separate audio track takes no second slot", async () => {
  const viewer = await cookiesOf("active");
  await untilKnown(viewer.cookie);
  for (let segment = 0; segment < 5; segment += 1) {
    await step();
    for (const path of [smaller, audio]) expect(await statusOf(path, viewer.cookie)).toBe(206);
  }
  expect(await slotsOf(viewer.userId)).toBe(1);
});

test("no segment is sent after an announcement that a subscription has ended", async () => {
  const { cookie, userId } = await cookiesOf("active");
  await untilKnown(cookie);
  await db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, userId));
  await expect.poll(() => statusOf(video.path, cookie), { timeout: ANNOUNCED_WITHIN_MS }).toBe(403);
});

test("without an announcement segments stop within ten seconds, and open-ended ranges at once", async () => {
  const { cookie, userId } = await cookiesOf("active");
  await untilKnown(cookie);
  await db.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, userId));
  });
  await step();
  expect(await statusOf(video.path, cookie)).toBe(206);
  for (const range of ["bytes=0-", "bytes=0-8388608", "bytes=5-3"]) {
    expect(await statusOf(video.path, cookie, { range }), range).toBe(403);
  }
  expect(await statusOf(video.path, cookie, { headers: { "if-range": '"another"' } })).toBe(403);
  await step();
  await step();
  expect(await statusOf(video.path, cookie)).toBe(403);
});

test("segments beyond a player's pace are counted and limited over all processes", async () => {
  const { cookie, userId } = await cookiesOf("active");
  const send = (at: Site) => statusOf(video.path, cookie, { at });
  for (let segment = 0; segment < PACE; segment += 1) {
    expect([await send(site), await send(secondSite)]).toEqual([206, 206]);
  }
  expect(await db.select().from(rateLimits)).toEqual([]);
  expect(await send(site)).toBe(206);
  // A slow computer takes longer than a second for sixty requests.
  await db
    .update(rateLimits)
    .set({ points: LIMITS.rangesByViewer.points - 1, expire: sql`now() + interval '1 minute'` });
  expect(await send(secondSite)).toBe(206);
  expect([await send(site), await send(secondSite)]).toEqual([429, 429]);
  expect(await slotsOf(userId)).toBe(0);
});

async function addPart(name: string): Promise<string> {
  const storageKey = `media/${video.mediaId}/${name}`;
  const stored = await storage.put(storageKey, Buffer.alloc(4_000, 7));
  const row = { mediaId: video.mediaId, storageKey, contentType: "video/mp4", needs: "view" as const };
  await db.insert(mediaFiles).values({ ...row, name, ...stored });
  return `/media/${video.mediaId}/${name}`;
}

async function statusOf(
  path: string,
  cookie: string,
  { at = site, range = "bytes=0-999", headers = {} } = {},
): Promise<number> {
  const answer = await at.fetch(path, { headers: { cookie, range, ...headers } });
  await answer.arrayBuffer();
  return answer.status;
}

async function step(): Promise<void> {
  const before = site.output();
  site.process.kill("SIGHUP");
  await vi.waitUntil(() => site.output() !== before, { interval: 5 });
}

/** The first request makes the site listen to announcements. */
async function untilKnown(cookie: string): Promise<void> {
  await vi.waitUntil(
    async () => {
      statements.take();
      return (await statusOf(video.path, cookie)) === 206 && statements.take().statements === 0;
    },
    { timeout: 10_000 },
  );
}

async function slotsOf(userId: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM video_slots WHERE holder_id = ${userId}`,
  );
  return row?.count ?? 0;
}
