import { decode } from "turbo-stream";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type ChaosProxy, startChaosProxy, type Weather } from "#tests/support/chaos-proxy.ts";
import { createVideo, type TestMedia } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { REAL_DATABASE_LIMIT, type Site, startSite } from "#tests/support/site.ts";

/** The site's limit of a statement, and the pool's margin. */
const LIMIT_MS = 2_500;

let proxy: ChaosProxy;
let site: Site;
let video: TestMedia;
let adult: string;
let subscriber: string;

beforeAll(async () => {
  video = await createVideo({ withFiles: true });
  const { id } = await createMember();
  await subscribe(id);
  [adult, subscriber] = await Promise.all([adultCookie(), signedInCookie(id)]);
  proxy = await startChaosProxy(process.env.DATABASE_URL ?? "");
  site = await startSite({ databaseUrl: proxy.url, env: REAL_DATABASE_LIMIT });
});
afterEach(() => proxy.turn("pass"));
afterAll(async () => {
  await site.stop();
  await proxy.stop();
});

async function timed(path: string, init: RequestInit = {}) {
  const startedAt = performance.now();
  const answer = await site.fetch(path, init);
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    milliseconds: performance.now() - startedAt,
  };
}

test.each(["refuse", "hang", "greet-and-close"] as Weather[])(
  "during the fault %s the first visitor gets the outage in time, even by a transaction",
  async (weather) => {
    const email = new URLSearchParams({ email: "somebody@example.com" });
    const first: [string, RequestInit][] = [
      ["/signin", { method: "POST", body: email, headers: { cookie: adult, origin: site.origin } }],
      ["/content/video?q=silk", { headers: { cookie: adult } }],
    ];
    for (const [path, init] of first) {
      const usual = await timed("/content/video", { headers: { cookie: adult } });
      expect(usual.status).toBe(200);
      await proxy.turn(weather);
      const { status, headers, milliseconds } = await timed(path, init);
      expect([path, status]).toEqual([path, 503]);
      expect(Number(headers.get("retry-after")), path).toBeGreaterThan(0);
      expect(milliseconds, path).toBeLessThan(LIMIT_MS + 3 * usual.milliseconds);
      await proxy.turn("pass");
      await expect.poll(async () => (await timed("/readyz")).status, { timeout: 10_000 }).toBe(200);
    }
  },
);

test.each(["refuse", "hang", "greet-and-close"] as Weather[])(
  "during the fault %s every page says so in time, and recovers by itself",
  async (weather) => {
    const page = `/content/video/${video.slug}`;
    const usual = await timed(page, { headers: { cookie: subscriber } });
    expect(usual.status).toBe(200);
    await proxy.turn(weather);
    const form = { method: "POST", body: new URLSearchParams({ mediaId: video.id }) };
    const requests: [string, RequestInit][] = [
      ["/", { headers: { cookie: adult } }],
      ["/content/video", { headers: { cookie: subscriber } }],
      [page, { headers: { cookie: subscriber } }],
      [`${page}.data`, { headers: { cookie: subscriber } }],
      [`/media/${video.id}/video-360.mp4`, { headers: { cookie: subscriber } }],
      ["/user/account", { headers: { cookie: subscriber } }],
      ["/readyz", {}],
      ["/api/favorites", { ...form, headers: { cookie: subscriber, origin: site.origin } }],
    ];
    for (const [path, init] of [...requests, ...requests]) {
      const { status, headers, text, milliseconds } = await timed(path, init);
      expect([path, status]).toEqual([path, 503]);
      expect(Number(headers.get("retry-after")), path).toBeGreaterThan(0);
      expect(milliseconds, path).toBeLessThan(LIMIT_MS + 3 * usual.milliseconds);
      expect(text, path).not.toContain("video-360.mp4#");
    }
    // Pages that need no database still work.
    for (const path of ["/about", "/healthz", "/enter", "/robots.txt"]) {
      expect([path, (await timed(path)).status]).toEqual([path, 200]);
    }
    await proxy.turn("pass");
    const status = async () => (await timed(page, { headers: { cookie: subscriber } })).status;
    await expect.poll(status, { timeout: 10_000 }).toBe(200);
    expect((await timed("/readyz")).status).toBe(200);
  },
);

test("the page of an outage has the site's shell, a plain sentence and an id to quote", async () => {
  await proxy.turn("refuse");
  const { text, headers } = await timed("/user/account", { headers: { cookie: subscriber } });
  await proxy.turn("pass");
  expect(headers.get("content-type")).toContain("text/html");
  expect(text).toContain("Back in a moment");
  expect(text).toMatch(/Error id: (<!-- -->)?<code>[0-9a-f-]{36}</);
  expect(text).toContain("<span>Peony</span>");
});

test.each(["GET", "POST"])("a %s by script during an outage gets the page's message", async (method) => {
  await proxy.turn("refuse");
  const answer = await site.fetch(`/content/video/${video.slug}.data`, {
    method,
    headers: { cookie: subscriber, origin: site.origin },
    body: method === "POST" ? new URLSearchParams({ stoppedAt: "0:01" }) : null,
  });
  await proxy.turn("pass");
  expect(answer.status).toBe(503);
  expect(answer.headers.get("content-type")).toContain("text/x-script");
  const words: unknown[] = [];
  const value = await decodeErrors(answer, words);
  // Remix's client reads a status, from which the page chooses its text.
  expect(words).toEqual([
    [
      "ErrorResponse",
      { retryAfterSeconds: 5, errorId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      503,
      "Service Unavailable",
    ],
  ]);
  if (method === "GET") expect(value).toMatchObject({ root: { data: { siteName: "Peony" } } });
});

async function decodeErrors({ body }: Response, found: unknown[]): Promise<unknown> {
  if (body === null) throw new Error("the answer is empty");
  const plugin = (...named: unknown[]) => {
    found.push(named);
    return { value: named };
  };
  const { value, done } = await decode(body, { plugins: [plugin] });
  await done;
  return value;
}
