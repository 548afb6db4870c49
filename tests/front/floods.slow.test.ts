import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import type { MediaStorage } from "#app/domain/media/storage/storage.ts";
import { MAX_SIGNED_OUT_VIDEOS } from "#app/web/server/sent-videos.server.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { addFile, cookiesOf, startBytesSite } from "#tests/support/media-site.ts";
import { startSite } from "#tests/support/site.ts";

const PAGE_WITHIN_MS = 2_000;
const LOOKS_BEFORE = 5;
/** The flood goes on for as long. */
const FLOOD_MS = 12_000;
const DRIP_MS = 2_000;
const SLOW_FORMS = 3_100;
const ADDRESSES = 13;
/** Fewer than an address may have. */
const EACH = 240;
/** A flood of slow clients, not of requests. */
const FORMS = { atOnce: 50, pauseMs: 50 };
const VIDEOS = { atOnce: 20, pauseMs: 150 };
const STALLED_VIDEOS = 600;
/** A stalled video may be closed for another after 15 s. */
const STALLED_MS = 17_000;
/** The same limits hold here, and pass within it. */
const STALLED_BEHIND_NGINX_MS = 4_000;
const MEGABYTE = 1024 * 1024;
const ATTACKER = "203.0.113.9";
const VISITOR = "203.0.113.10";

let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

test("behind nginx, 3,100 slow forms of one visitor of a proxy keep nobody else waiting", async () => {
  const site = await startFrontSite({ TRUST_PROXY: "1" });
  try {
    await expectPagesDuring(site.origin, VISITOR, () =>
      open(SLOW_FORMS, FORMS, () => slowForm(site.origin, { forwardedFor: ATTACKER })),
    );
  } finally {
    await site.stop();
  }
}, 120_000);

test("without nginx, thirteen addresses with 240 slow forms each keep nobody else waiting", async () => {
  const site = await startSite({ env: { TRUST_PROXY: "0" } });
  try {
    await expectPagesDuring(site.origin, undefined, () =>
      open(ADDRESSES * EACH, FORMS, (index) =>
        slowForm(site.origin, { localAddress: `127.9.0.${(index % ADDRESSES) + 1}` }),
      ),
    );
  } finally {
    await site.stop();
  }
}, 120_000);

test("without nginx, 600 stalled videos delay no page and no running video, and make way for a newcomer", async () => {
  const { site, storage } = await startBytesSite({ TRUST_PROXY: "1" });
  try {
    const { url, visitor, running } = await expectNoneWaitsForStalledVideos(site.origin, storage, FLOOD_MS);
    const bytesBefore = running.bytes();
    await sleep(STALLED_MS);
    expect(running.bytes()).toBeGreaterThan(bytesBefore);
    const answer = await fetch(url, { headers: { cookie: visitor, "x-forwarded-for": VISITOR } });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    running.stop();
  } finally {
    await site.stop();
  }
}, 120_000);

test("behind nginx, 600 stalled videos delay no page and no running video", async () => {
  const site = await startFrontSite({ TRUST_PROXY: "1" });
  try {
    const storage = localStorage(join(site.dataDir, "media"));
    const { running } = await expectNoneWaitsForStalledVideos(site.origin, storage, STALLED_BEHIND_NGINX_MS);
    running.stop();
  } finally {
    await site.stop();
  }
}, 120_000);

/** Each is another visitor's, from an address of its own. The process sends as many as it may, and refuses the rest. */
async function expectNoneWaitsForStalledVideos(origin: string, storage: MediaStorage, floodMs: number) {
  const free = await addFile(storage, Buffer.alloc(40 * MEGABYTE, 7), { access: "free" });
  const url = origin + free.path;
  const { cookie } = await cookiesOf("active");
  const visitor = cookie.replace(/; session=[^;]+/, "");
  const running = watch(url, cookie);
  const statuses: string[] = [];
  const openVideo = (index: number) => {
    const head = `GET ${free.path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${visitor}\r\n`;
    const address = `198.51.${100 + (index >> 8)}.${index & 255}`;
    const socket = send(origin, `${head}X-Forwarded-For: ${address}\r\n\r\n`);
    socket.once("data", (chunk: Buffer) => {
      statuses.push(chunk.toString("latin1", 9, 12));
      socket.pause();
    });
    return socket;
  };
  const pages = await expectPagesDuring(
    origin,
    VISITOR,
    () => open(STALLED_VIDEOS, VIDEOS, openVideo),
    floodMs,
  );
  await expect.poll(() => statuses.length, { timeout: 15_000 }).toBe(STALLED_VIDEOS);
  const [sent, refused] = ["200", "503"].map((one) => statuses.filter((status) => status === one).length);
  expect((sent ?? 0) + (refused ?? 0)).toBe(STALLED_VIDEOS);
  // More where a slow machine opens them over more than 15 s.
  expect(sent).toBeGreaterThanOrEqual(MAX_SIGNED_OUT_VIDEOS);
  expect(refused).toBeGreaterThan(0);
  // The median has its limit in expectPagesDuring().
  expect(pages.slowest).toBeLessThan(3 * pages.limit);
  expect(running.longestWait()).toBeLessThan(3 * pages.limit);
  return { url, visitor, running };
}

test("nginx keeps the video of a paused player for longer than a page", async () => {
  const site = await startFrontSite();
  try {
    const storage = localStorage(join(site.dataDir, "media"));
    const free = await addFile(storage, Buffer.alloc(40 * MEGABYTE, 7), { access: "free" });
    const { cookie } = await cookiesOf();
    const answer = await fetch(site.origin + free.path, { headers: { cookie } });
    const reader = answer.body?.getReader();
    let received = (await reader?.read())?.value?.length ?? 0;
    await sleep(35_000);
    for (let part = await reader?.read(); part?.value; part = await reader?.read())
      received += part.value.length;
    expect(received).toBe(40 * MEGABYTE);
  } finally {
    await site.stop();
  }
}, 120_000);

async function open(
  count: number,
  { atOnce, pauseMs }: typeof FORMS,
  one: (index: number) => Socket,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    sockets.push(one(index));
    if (index % atOnce === 0) await sleep(pauseMs);
  }
}

/** A form that comes a byte at a time and never ends. */
function slowForm(
  origin: string,
  { forwardedFor, localAddress }: { forwardedFor?: string; localAddress?: string },
): Socket {
  const forwarded = forwardedFor === undefined ? "" : `X-Forwarded-For: ${forwardedFor}\r\n`;
  const head = `POST /signin HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n${forwarded}`;
  const socket = send(origin, `${head}Content-Length: 5000\r\n\r\nemail=`, localAddress);
  const drip = setInterval(() => socket.write("x"), DRIP_MS);
  socket.once("close", () => clearInterval(drip));
  return socket;
}

function send(origin: string, bytes: string, localAddress?: string): Socket {
  const port = Number(new URL(origin).port);
  const socket = connect({ port, host: "127.0.0.1", ...(localAddress ? { localAddress } : {}) });
  socket.on("error", () => {}).write(bytes);
  return socket;
}

/**
 * Loads pages of another visitor one after another while `flood` begins and goes on. Each has to come, half of them in
 * two seconds; in more only where the same pages have been slow before.
 */
async function expectPagesDuring(
  origin: string,
  forwardedFor: string | undefined,
  flood: () => Promise<void>,
  floodMs = FLOOD_MS,
): Promise<{ slowest: number; limit: number }> {
  const before: number[] = [];
  for (let look = 0; look < LOOKS_BEFORE; look += 1) before.push(await loadPage(origin, forwardedFor));
  const limit = Math.max(PAGE_WITHIN_MS, 3 * median(before));
  let isOver = false;
  const flooding = flood().then(() => sleep(floodMs));
  void flooding.finally(() => {
    isOver = true;
  });
  const during: number[] = [];
  while (!isOver) {
    during.push(await loadPage(origin, forwardedFor));
    await sleep(200);
  }
  await flooding;
  expect(median(during)).toBeLessThan(limit);
  return { slowest: Math.max(...during), limit };
}

async function loadPage(origin: string, forwardedFor?: string): Promise<number> {
  const headers: Record<string, string> = forwardedFor ? { "x-forwarded-for": forwardedFor } : {};
  const startedAt = performance.now();
  const answer = await fetch(`${origin}/enter`, { headers: { ...headers, connection: "close" } });
  await answer.text();
  expect(answer.status).toBe(200);
  return performance.now() - startedAt;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Reads slowly and forever. */
function watch(url: string, cookie: string) {
  let received = 0;
  let longestWait = 0;
  let requestedAt = performance.now();
  const wait = () => performance.now() - requestedAt;
  const controller = new AbortController();
  void (async () => {
    const { body } = await fetch(url, { headers: { cookie }, signal: controller.signal });
    const reader = body?.getReader();
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      longestWait = Math.max(longestWait, wait());
      received += part.value.length;
      await sleep(100);
      requestedAt = performance.now();
    }
  })().catch(() => {});
  return {
    bytes: () => received,
    longestWait: () => Math.max(longestWait, wait()),
    stop: () => controller.abort(),
  };
}
