import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { LIVE_CHANNEL } from "#app/domain/announcements/listen.server.ts";
import type { LiveAnnouncement } from "#app/domain/announcements/live-announcements.server.ts";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { CLOCK_SPEED, startFastSite } from "../support/fast-site.ts";
import { followLive, type LiveReader, untilListening } from "../support/live/live-reader.ts";
import { createMember, signedInCookie, subscribe } from "../support/people.ts";
import { type Site, startSite } from "../support/site.ts";

/** An announcement takes less than a second. */
const ANNOUNCED_WITHIN_MS = 5_000;
/** For which a live connection may outlive its session, and a margin for a slow machine. */
const UNANNOUNCED_WITHIN_MS = 14_000;
const CHECKED_EVERY_MS = 4_000 / CLOCK_SPEED;
/** Half a minute of the moved clock. */
const BUSY_MACHINE_MS = 3_000;
/** Longer than an announcement takes. */
const NOTHING_COMES_MS = 1_500;

const site = await startSite();
const otherProcess = await startSite({ dataDir: site.dataDir });
const fastProcess = await startFastSite("live connections", { dataDir: site.dataDir });
afterAll(async () => {
  await Promise.all([otherProcess.stop(), fastProcess.stop()]);
  await site.stop();
});

async function follow(cookie: string, at: Site = site) {
  const reader = await followLive(at, cookie);
  onTestFinished(reader.close);
  expect(reader.status).toBe(200);
  return reader;
}

beforeAll(async () => {
  for (const process of [site, otherProcess, fastProcess]) await untilListening(process);
});

async function announce(change: LiveAnnouncement): Promise<void> {
  await db.execute(sql`SELECT pg_notify(${LIVE_CHANNEL}, ${JSON.stringify(change)})`);
}

async function addVideo(): Promise<string> {
  const id = randomUUID();
  const title = { title: "Slow water", slug: "slow-water", shortId: id.slice(0, 8) };
  await db.insert(media).values({
    id,
    type: "video",
    status: "published",
    access: "free",
    durationSeconds: 600,
    publishAt: sql`now() - interval '1 day'`,
    ...title,
  });
  return id;
}

const post = (cookie: string, path: string, fields: Record<string, string>) =>
  site.fetch(path, {
    method: "POST",
    headers: { cookie, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(fields),
  });
const favorite = (cookie: string, mediaId: string) =>
  post(cookie, "/api/favorites", { mediaId, isFavorited: "true" });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("favorites and progress reach the member's other device, in any process, but not the browser that made them", async () => {
  const [{ id }, mediaId] = await Promise.all([createMember(), addVideo()]);
  const [here, there] = await Promise.all([signedInCookie(id), signedInCookie(id)]);
  const own = await follow(here);
  const other = await follow(there, otherProcess);
  expect(own.headers.get("content-type")).toContain("text/event-stream");
  expect(own.headers.get("cache-control")).toContain("no-store");
  expect(own.headers.get("content-encoding")).toBeNull();

  expect((await favorite(here, mediaId)).status).toBe(200);
  expect((await post(here, "/api/views", { mediaId, progress: "60" })).status).toBe(200);

  await expect
    .poll(() => other.events, { timeout: ANNOUNCED_WITHIN_MS })
    .toEqual([
      `changed {"kind":"favorite","mediaId":"${mediaId}"}`,
      `changed {"kind":"progress","mediaId":"${mediaId}"}`,
    ]);
  expect(own.events).toEqual([]);
  expect(other.text()).not.toContain("Slow water");
});

test("nobody sees the changes of another member", async () => {
  const [ada, eve, mediaId] = await Promise.all([createMember(), createMember(), addVideo()]);
  const [adaHere, adaThere] = await Promise.all([signedInCookie(ada.id), signedInCookie(ada.id)]);
  const eves = await follow(await signedInCookie(eve.id));
  const adas = await follow(adaThere);

  await favorite(adaHere, mediaId);
  await subscribe(ada.id);

  await expect.poll(() => adas.events.length, { timeout: ANNOUNCED_WITHIN_MS }).toBeGreaterThanOrEqual(2);
  await pause(NOTHING_COMES_MS);
  expect(eves.events).toEqual([]);
});

test("the progress of an encoding reaches editors, but nobody who has lost the role", async () => {
  const [editor, records, former] = await Promise.all(
    (["editor", "records", "editor"] as const).map((role) => createMember({ role })),
  );
  const [mediaId, ...cookies] = await Promise.all([
    addVideo(),
    ...[editor, records, former].map((person) => signedInCookie(person?.id ?? "")),
  ]);
  const [mine, other, ended] = await Promise.all(cookies.map((cookie) => follow(cookie)));
  await db.execute(sql`UPDATE users SET role = 'member' WHERE id = ${former?.id}`);
  await expect
    .poll(() => ended?.events, { timeout: ANNOUNCED_WITHIN_MS })
    .toEqual(['changed {"kind":"access"}']);
  await announce({ kind: "encoding", mediaId });
  await expect
    .poll(() => mine?.events, { timeout: ANNOUNCED_WITHIN_MS })
    .toEqual([`changed {"kind":"encoding","mediaId":"${mediaId}"}`]);
  await pause(NOTHING_COMES_MS);
  expect(other?.events).toEqual([]);
  expect(ended?.events).toHaveLength(1);
});

test("the end of access reaches the browser", async () => {
  const { id } = await createMember();
  await subscribe(id);
  const connection = await follow(await signedInCookie(id));
  await db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, id));
  await expect
    .poll(() => connection.events, { timeout: ANNOUNCED_WITHIN_MS })
    .toContain('changed {"kind":"access"}');
  expect(connection.hasEnded()).toBe(false);
});

test("a sign-out on another device ends only the live connection of that session", async () => {
  const { id } = await createMember();
  const [here, there] = await Promise.all([signedInCookie(id), signedInCookie(id)]);
  const own = await follow(here);
  const other = await follow(there);
  await post(here, "/signout", {});
  await expect.poll(() => own.hasEnded(), { timeout: ANNOUNCED_WITHIN_MS }).toBe(true);
  expect(own.events.at(-1)).toBe("ended {}");
  expect(other.hasEnded()).toBe(false);
});

test("a browser's second live connection replaces the first, even in another process", async () => {
  const { id } = await createMember();
  const cookie = await signedInCookie(id);
  const first = await follow(cookie);
  const second = await follow(cookie, otherProcess);
  await expect.poll(() => first.hasEnded(), { timeout: ANNOUNCED_WITHIN_MS }).toBe(true);
  expect(first.events).toEqual(["replaced {}"]);
  expect(second.hasEnded()).toBe(false);
});

test("a member's seventh live connection replaces the oldest, over all processes", async () => {
  const { id } = await createMember();
  const connections: LiveReader[] = [];
  for (let index = 0; index < 7; index++) {
    connections.push(await follow(await signedInCookie(id), index % 2 === 0 ? site : otherProcess));
  }
  await expect.poll(() => connections[0]?.hasEnded(), { timeout: ANNOUNCED_WITHIN_MS }).toBe(true);
  await pause(NOTHING_COMES_MS);
  expect(connections.map((connection) => connection.hasEnded())).toEqual([true, ...Array(6).fill(false)]);
});

test("without a session there is no live connection, before or after the age gate", async () => {
  const { id } = await createMember();
  const cookie = await signedInCookie(id);
  await db.delete(sessions).where(eq(sessions.userId, id));
  expect((await followLive(site, cookie)).status).toBe(204);
  expect((await followLive(site, "")).status).toBe(204);
});

test("pages of other sites cannot open a live connection", async () => {
  const cookie = await signedInCookie((await createMember()).id);
  const headers = { cookie, accept: "text/event-stream", "sec-fetch-site": "cross-site" };
  expect((await site.fetch("/api/live", { headers })).status).toBe(403);
});

describe.concurrent("an open live connection", () => {
  test("the end of access by the clock reaches the browser once", async ({ expect }) => {
    const { id } = await createMember();
    await subscribe(id);
    const connection = await followLive(fastProcess, await signedInCookie(id));
    const heard = () => connection.events.filter((event) => event === 'changed {"kind":"access"}').length;
    await pause(NOTHING_COMES_MS);
    const before = heard();
    await db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      await tx
        .update(subscriptions)
        .set({ cancelAtPeriodEnd: true, currentPeriodEnd: sql`now() + interval '4 seconds'` })
        .where(eq(subscriptions.userId, id));
    });
    await pause(NOTHING_COMES_MS);
    expect(heard()).toBe(before);
    await expect.poll(heard, { timeout: 4_000 + BUSY_MACHINE_MS }).toBe(before + 1);
    await pause(NOTHING_COMES_MS + 2 * CHECKED_EVERY_MS);
    expect(heard()).toBe(before + 1);
    expect(connection.hasEnded()).toBe(false);
    connection.close();
  });

  test.for(["revoked_at = now()", "expires_at = now()"])(
    "a live connection ends with its session when nothing announces it: %s",
    async (change, { expect }) => {
      const { id } = await createMember();
      const connection = await followLive(site, await signedInCookie(id));
      await db.transaction(async (tx) => {
        await tx.execute(sql`SET LOCAL session_replication_role = replica`);
        await tx.execute(sql`UPDATE sessions SET ${sql.raw(change)} WHERE user_id = ${id}`);
      });
      await expect.poll(() => connection.hasEnded(), { timeout: UNANNOUNCED_WITHIN_MS }).toBe(true);
    },
  );
});

test("a stopping process ends its live connections at once and says when to reconnect", async () => {
  const stopping = await startSite({ dataDir: site.dataDir });
  const connection = await followLive(stopping, await signedInCookie((await createMember()).id));
  const startedAt = performance.now();
  stopping.process.kill("SIGTERM");
  await expect.poll(() => connection.hasEnded(), { timeout: 5_000 }).toBe(true);
  await expect.poll(() => stopping.process.exitCode, { timeout: 5_000 }).toBe(0);
  // Without an end the process waits for eight seconds.
  expect(performance.now() - startedAt).toBeLessThan(6_000);
  expect(connection.text().match(/retry: \d+\n\n/g)).toHaveLength(2);
});
