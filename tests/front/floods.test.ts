import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { addFile, cookiesOf, startBytesSite } from "#tests/support/media-site.ts";
import { startSite } from "#tests/support/site.ts";

const PAGE_WITHIN_MS = 2_000;
const LOOKS = 12;
const SLOW_FORMS = 3_100;
const ADDRESSES = 13;
/** Fewer than an address may have. */
const EACH = 240;
/** A flood of slow clients, not of requests. */
const OPENED_AT_ONCE = 50;
const PAUSE_MS = 50;
const VIDEOS_AT_ONCE = 10;
const VIDEOS_PAUSE_MS = 150;
const MEGABYTE = 1024 * 1024;
const ATTACKER = "203.0.113.9";
const VISITOR = "203.0.113.10";

let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

const starts = {
  "behind nginx": startFrontSite,
  "without nginx": (env: Record<string, string>) => startSite({ env }),
};

test.each(["behind nginx", "without nginx"] as const)(
  "%s, 3,100 slow forms of one visitor of a proxy keep nobody else waiting",
  async (way) => {
    const site = await starts[way]({ TRUST_PROXY: "1" });
    try {
      const limit = await limitMs(site.origin, VISITOR);
      await open(SLOW_FORMS, () => slowForm(site.origin, { forwardedFor: ATTACKER }));
      expect(await usualPage(site.origin, VISITOR)).toBeLessThan(limit);
    } finally {
      await site.stop();
    }
  },
  120_000,
);

test.each(["behind nginx", "without nginx"] as const)(
  "%s, thirteen addresses with 240 slow forms each keep nobody else waiting",
  async (way) => {
    const site = await starts[way]({ TRUST_PROXY: "0" });
    try {
      const limit = await limitMs(site.origin);
      await open(ADDRESSES * EACH, (index) =>
        slowForm(site.origin, { localAddress: `127.9.0.${(index % ADDRESSES) + 1}` }),
      );
      expect(await usualPage(site.origin)).toBeLessThan(limit);
    } finally {
      await site.stop();
    }
  },
  120_000,
);

test("six hundred stalled videos keep no page, no running video and no newcomer waiting", async () => {
  const { site, storage } = await startBytesSite({ TRUST_PROXY: "1" });
  try {
    const free = await addFile(storage, Buffer.alloc(40 * MEGABYTE, 7), { access: "free" });
    const [watcher, newcomer] = [await cookiesOf("active"), await cookiesOf("active")];
    const running = watch(site.origin + free.path, watcher.cookie);
    const visitor = watcher.cookie.replace(/; session=[^;]+/, "");
    const limit = await limitMs(site.origin, VISITOR);
    const openVideo = (index: number) => {
      const head = `GET ${free.path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${visitor}\r\n`;
      return send(site.origin, `${head}X-Forwarded-For: 198.51.100.${index % 250}\r\n\r\n`).pause();
    };
    await open(600, openVideo, [VIDEOS_AT_ONCE, VIDEOS_PAUSE_MS]);
    expect(await usualPage(site.origin, VISITOR)).toBeLessThan(limit);
    const bytesBefore = running.bytes();
    await sleep(1_000);
    expect(running.bytes()).toBeGreaterThan(bytesBefore);
    const answer = await fetch(site.origin + free.path, {
      headers: { cookie: newcomer.cookie, "x-forwarded-for": VISITOR },
    });
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    running.stop();
  } finally {
    await site.stop();
  }
}, 120_000);

async function open(
  count: number,
  one: (index: number) => Socket,
  [atOnce, pauseMs] = [OPENED_AT_ONCE, PAUSE_MS],
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    sockets.push(one(index));
    if (index % atOnce === 0) await sleep(pauseMs);
  }
}

/** A form whose last bytes do not come. */
function slowForm(
  origin: string,
  { forwardedFor, localAddress }: { forwardedFor?: string; localAddress?: string },
): Socket {
  const forwarded = forwardedFor === undefined ? "" : `X-Forwarded-For: ${forwardedFor}\r\n`;
  const head = `POST /signin HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n${forwarded}`;
  return send(origin, `${head}Content-Length: 5000\r\n\r\nemail=`, localAddress);
}

function send(origin: string, bytes: string, localAddress?: string): Socket {
  const port = Number(new URL(origin).port);
  const socket = connect({ port, host: "127.0.0.1", ...(localAddress ? { localAddress } : {}) });
  socket.on("error", () => {}).write(bytes);
  return socket;
}

/** The median time of some pages of another visitor, one after another, in milliseconds. */
async function usualPage(origin: string, forwardedFor?: string): Promise<number> {
  const headers: Record<string, string> = forwardedFor ? { "x-forwarded-for": forwardedFor } : {};
  const times: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    const startedAt = performance.now();
    const answer = await fetch(`${origin}/enter`, { headers: { ...headers, connection: "close" } });
    await answer.text();
    expect(answer.status).toBe(200);
    times.push(performance.now() - startedAt);
    await sleep(200);
  }
  return times.sort((a, b) => a - b)[LOOKS / 2] ?? Number.NaN;
}

/** Two seconds; more only where the same pages have been slow before the flood. */
async function limitMs(origin: string, forwardedFor?: string): Promise<number> {
  return Math.max(PAGE_WITHIN_MS, 3 * (await usualPage(origin, forwardedFor)));
}

/** Reads slowly and forever. */
function watch(url: string, cookie: string) {
  let received = 0;
  const controller = new AbortController();
  void (async () => {
    const { body } = await fetch(url, { headers: { cookie }, signal: controller.signal });
    const reader = body?.getReader();
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      received += part.value.length;
      await sleep(30);
    }
  })().catch(() => {});
  return { bytes: () => received, stop: () => controller.abort() };
}
