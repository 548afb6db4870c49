import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { get as httpGet, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { LIMITS } from "#app/domain/auth/rate-limits.server.ts";
import { makeDraftLink, revokeDraftLink } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { addressHolder, MAX_SLOTS, MAX_SLOTS_PER_ADDRESS } from "#app/domain/viewing/video-slots.server.ts";
import { serializeDraft } from "#app/web/media/draft-cookie.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { listDraftLinks } from "#tests/support/draft-links.ts";
import { CLOCK_SPEED, startFastSite } from "#tests/support/fast-site.ts";
import { HOST } from "#tests/support/media.ts";
import { adultCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { addFile, cookiesOf, startBytesSite } from "../support/media-site.ts";

const MEGABYTE = 1024 * 1024;
const { site, storage, dataDir } = await startBytesSite();
const secondSite = await startSite({ dataDir, env: { SESSION_SECRET: config.session.secret } });
afterAll(() => Promise.all([site.stop(), secondSite.stop()]));

const large = await addFile(storage, Buffer.alloc(200 * MEGABYTE, 7));
const { cookie } = await cookiesOf("active");
const crowd = await Promise.all(Array.from({ length: 5 }, () => cookiesOf("active")));

function openVideo(asCookie = cookie, origin = site.origin, path = large.path): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpGet(`${origin}${path}`, { headers: { cookie: asCookie }, agent: false }, resolve).on("error", reject);
  });
}

/** Opens videos in bursts and closes them; each viewer stays within the slots. */
async function hangUp(): Promise<void> {
  const openings = crowd.flatMap((viewer) => Array.from({ length: 5 }, () => openVideo(viewer.cookie)));
  for (const stream of await Promise.all(openings)) {
    expect(stream.statusCode).toBe(200);
    stream.destroy();
  }
}

async function slotsOf(userId: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM video_slots WHERE holder_id = ${userId}`,
  );
  return row?.count ?? 0;
}

function openFiles(): number {
  return readdirSync(`/proc/${site.process.pid}/fd`).length;
}

/** Open files of the media folder, without sockets and database connections. */
function openMediaFiles(): number {
  const folder = `/proc/${site.process.pid}/fd`;
  const paths = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`);
    } catch {
      return "";
    }
  });
  return paths.filter((path) => path.startsWith(join(dataDir, "media"))).length;
}

function memoryMegabytes(): number {
  const status = readFileSync(`/proc/${site.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test("a client that does not read takes no memory", async () => {
  const before = memoryMegabytes();
  const streams = await Promise.all(Array.from({ length: 5 }, () => openVideo()));
  await sleep(2_000);
  expect(memoryMegabytes() - before).toBeLessThan(60);
  for (const stream of streams) stream.destroy();
});

test("five hundred clients that hang up leave no open file", async () => {
  // The first burst also opens the database connections that stay open.
  await hangUp();
  await expect.poll(openMediaFiles).toBe(0);
  await sleep(1_500);
  const before = openFiles();
  for (let round = 0; round < 20; round++) {
    await hangUp();
    for (const { userId } of crowd) await expect.poll(() => slotsOf(userId)).toBe(0);
  }
  await expect.poll(() => Math.abs(openFiles() - before)).toBeLessThanOrEqual(2);
  // Node closes a forgotten file handle during garbage collection and prints a warning.
  expect(site.output()).not.toContain("garbage collection");
}, 60_000);

const ENDS: [string, number, (userId: string) => Promise<unknown>][] = [
  [
    "the subscription",
    403,
    (userId) => db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, userId)),
  ],
  ["a takedown", 410, () => changeState(HOST, large.mediaId, "takeDown", { reason: "A complaint" })],
  ["the hiding of its video", 404, () => changeState(HOST, large.mediaId, "hide")],
];
test.each(ENDS)(
  "a running video ends within ten seconds of %s, and the next range is refused",
  async (_, refusal, end) => {
    onTestFinished(async () => {
      await changeState(HOST, large.mediaId, "show");
      await changeState(HOST, large.mediaId, "bringBack");
    });
    const { cookie: own, userId } = await cookiesOf("active");
    await expectEnd(large.path, own, () => end(userId), refusal);
  },
  40_000,
);

const LINK_ENDS: [string, (linkId: string, mediaId: string) => Promise<unknown>][] = [
  ["is revoked", (id, mediaId) => revokeDraftLink(HOST, mediaId, id)],
  ["expires", (id) => db.execute(sql`UPDATE draft_links SET expires_at = now() WHERE id = ${id}`)],
];
test.each(LINK_ENDS)(
  "a running video of a draft ends within ten seconds when its link %s",
  async (_, end) => {
    const bytes = Buffer.alloc(200 * MEGABYTE, 7);
    const { mediaId, path } = await addFile(storage, bytes, { status: "draft", publishAt: null });
    const made = await makeDraftLink(HOST, mediaId);
    const [link] = await listDraftLinks(mediaId);
    const setCookie = await serializeDraft(new Request("http://localhost/"), mediaId, made?.token ?? "");
    const guest = `${await adultCookie()}; ${setCookie.split(";")[0]}`;
    await expectEnd(path, guest, () => end(link?.id ?? "", mediaId), 404);
  },
  40_000,
);

/** Takes a video slowly, ends the right to it, and expects the end of the connection and of the next range. */
async function expectEnd(
  path: string,
  own: string,
  end: () => Promise<unknown>,
  refusal: number,
): Promise<void> {
  const stream = await openVideo(own, site.origin, path);
  expect(stream.statusCode).toBe(200);
  let received = 0;
  let endedAt = 0;
  stream.on("data", (chunk: Buffer) => {
    received += chunk.length;
    stream.pause();
    setTimeout(() => stream.resume(), 20);
  });
  stream.on("error", () => {});
  stream.on("close", () => {
    endedAt = Date.now();
  });
  await expect.poll(() => received).toBeGreaterThan(0);
  const begunAt = Date.now();
  await end();
  const next = await site.fetch(path, { headers: { cookie: own, range: "bytes=0-9" } });
  expect(next.status).toBe(refusal);
  while (endedAt === 0 && Date.now() - begunAt < 15_000) await sleep(100);
  expect(endedAt).toBeGreaterThan(0);
  expect(endedAt - begunAt).toBeLessThan(10_000);
  expect(received).toBeLessThan(200 * MEGABYTE);
}

test("a member gets the maximum number of videos at a time, over all processes, and no more until one ends", async () => {
  const sharer = await cookiesOf("active");
  const open = (index: number) => openVideo(sharer.cookie, [site, secondSite][index % 2]?.origin);
  const opened = await Promise.all(Array.from({ length: MAX_SLOTS + 3 }, (_, index) => open(index)));
  const flowing = opened.filter(({ statusCode }) => statusCode === 200);
  const refused = opened.filter(({ statusCode }) => statusCode === 429);
  expect([flowing.length, refused.length]).toEqual([MAX_SLOTS, 3]);
  expect(refused.map(({ headers }) => headers["retry-after"])).toEqual(["5", "5", "5"]);

  const other = await openVideo();
  expect(other.statusCode).toBe(200);
  const head = await site.fetch(large.path, { method: "HEAD", headers: { cookie: sharer.cookie } });
  expect(head.status).toBe(200);

  flowing.pop()?.destroy();
  await expect.poll(() => slotsOf(sharer.userId)).toBe(MAX_SLOTS - 1);
  const next = await open(0);
  expect(next.statusCode).toBe(200);
  for (const stream of [...opened, other, next]) stream.destroy();
  await expect.poll(() => slotsOf(sharer.userId)).toBe(0);
});

test("visitors without an account share the slots of their network address, and use none of a member's", async () => {
  const free = await addFile(storage, Buffer.alloc(20 * MEGABYTE, 7), { access: "free" });
  const open = (cookies: string, origin = site.origin) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(`${origin}${free.path}`, { headers: { cookie: cookies }, agent: false }, resolve).on(
        "error",
        reject,
      );
    });
  const visitor = await adultCookie();
  const opened = await Promise.all(
    Array.from({ length: MAX_SLOTS_PER_ADDRESS + 2 }, (_, index) =>
      open(visitor, [site, secondSite][index % 2]?.origin),
    ),
  );
  const statuses = opened.map(({ statusCode }) => statusCode).sort();
  expect(statuses).toEqual([...Array(MAX_SLOTS_PER_ADDRESS).fill(200), 429, 429]);
  const member = await cookiesOf();
  const own = await open(member.cookie);
  expect(own.statusCode).toBe(200);

  for (const stream of [...opened, own]) stream.destroy();
  const { id } = addressHolder("127.0.0.1");
  await expect.poll(() => slotsOf(id)).toBe(0);
  const next = await open(visitor);
  expect(next.statusCode).toBe(200);
  next.destroy();
});

test("stalled videos are closed for new ones, so that nobody has more files open than slots", async () => {
  const idler = await cookiesOf("active");
  const openAll = () => Promise.all(Array.from({ length: MAX_SLOTS }, () => openVideo(idler.cookie)));
  const stalled = await openAll();
  for (const stream of stalled) stream.on("error", () => {});
  await expect.poll(openMediaFiles).toBe(MAX_SLOTS);
  await db.execute(sql`UPDATE video_slots SET renewed_at = now() - interval '16 seconds'
    WHERE holder_id = ${idler.userId}`);
  const fresh = await openAll();
  expect(fresh.map(({ statusCode }) => statusCode)).toEqual(Array(MAX_SLOTS).fill(200));
  await expect.poll(openMediaFiles).toBe(MAX_SLOTS);
  for (const stream of [...stalled, ...fresh]) stream.destroy();
  await expect.poll(() => slotsOf(idler.userId)).toBe(0);
});

test("a video whose process died frees its slot", async () => {
  const member = await cookiesOf("active");
  await db.execute(sql`INSERT INTO video_slots (holder_id, slot, lease_id, renewed_at)
    SELECT ${member.userId}, s, gen_random_uuid(), now() - interval '16 seconds' FROM generate_series(1, ${MAX_SLOTS}::int) s`);
  const stream = await openVideo(member.cookie);
  expect(stream.statusCode).toBe(200);
  stream.destroy();
});

test("more ranges of a file than a player requests are refused for a second, over all processes", async () => {
  const hasty = await cookiesOf("active");
  const small = await addFile(
    storage,
    Buffer.alloc(1000, 3),
    {},
    { name: "photo-1-480.webp", contentType: "image/webp" },
  );
  const fetchPart = (origin: string) =>
    fetch(origin + small.path, { headers: { cookie: hasty.cookie, range: "bytes=0-9" } });
  await db.delete(rateLimits);
  expect((await fetchPart(site.origin)).status).toBe(206);

  // A slow computer takes longer than a second for sixty requests.
  const setSecond = (points: number, length: string) =>
    db.update(rateLimits).set({ points, expire: sql`now() + ${length}::interval` });
  await setSecond(LIMITS.rangesByViewer.points - 1, "1 minute");
  expect((await fetchPart(secondSite.origin)).status).toBe(206);
  const refused = await fetchPart(site.origin);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await fetchPart(secondSite.origin)).status).toBe(429);

  const whole = await site.fetch(small.path, { headers: { cookie: hasty.cookie } });
  expect(whole.status, "what asks for no part is not counted").toBe(200);
  const other = await site.fetch(small.path, { headers: { cookie, range: "bytes=0-9" } });
  expect(other.status, "nor is anybody else's").toBe(206);

  await setSecond(LIMITS.rangesByViewer.points, "0 seconds");
  expect((await fetchPart(site.origin)).status).toBe(206);
});

test("a video in bounded ranges takes a slot once it is being watched, and one that was only opened takes none", async () => {
  const fastSite = await startFastSite("running videos", { dataDir });
  onTestFinished(fastSite.stop);
  const member = await cookiesOf("active");
  const part = async (path = large.path) =>
    (await fastSite.fetch(path, { headers: { cookie: member.cookie, range: "bytes=0-99" } })).status;
  expect([await part(), await part()]).toEqual([206, 206]);
  expect(await slotsOf(member.userId)).toBe(0);
  await sleep(10_500 / CLOCK_SPEED);
  expect([await part(), await part()]).toEqual([206, 206]);
  expect(await slotsOf(member.userId)).toBe(1);

  // Six others are being watched: the one that is idle longest makes way, and waits when none is idle.
  const setIdle = (seconds: number) =>
    db.execute(sql`INSERT INTO video_slots (holder_id, slot, lease_id, renewed_at)
      SELECT ${member.userId}, s, gen_random_uuid(), now() - ${seconds + 1} * interval '1 second' + s * interval '0.1 seconds'
      FROM generate_series(1, ${MAX_SLOTS}::int) s
      ON CONFLICT (holder_id, slot) DO UPDATE SET lease_id = excluded.lease_id, renewed_at = excluded.renewed_at`);
  await setIdle(10);
  await sleep(10_500 / CLOCK_SPEED);
  expect(await part()).toBe(429);
  await setIdle(20);
  expect(await part()).toBe(206);
  const [oldest] = await db.execute<{ slot: number }>(
    sql`SELECT slot FROM video_slots WHERE holder_id = ${member.userId} ORDER BY renewed_at DESC LIMIT 1`,
  );
  expect(oldest?.slot).toBe(1);
}, 30_000);
