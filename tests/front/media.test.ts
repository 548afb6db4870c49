import { get as httpGet, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { MAX_STREAMS } from "#app/domain/viewing/stream-slots.server.ts";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { media } from "#db/schema/catalog.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { openVideo, readSlowly } from "#tests/support/front/watch-video.ts";
import { addFile, cookiesOf } from "#tests/support/media-site.ts";
import { adultCookie } from "#tests/support/people.ts";

const MEGABYTE = 1024 * 1024;
const site = await startFrontSite();
afterAll(() => site.stop());
const storage = localStorage(join(site.dataDir, "media"));
const long = await addFile(storage, Buffer.alloc(200 * MEGABYTE, 7));
const PHOTO = Buffer.from("the bytes of a paid photo");
const photo = await addFile(storage, PHOTO, {}, { name: "photo-1-480.webp", contentType: "image/webp" });
const captions = await addFile(
  storage,
  PHOTO,
  {},
  { name: "captions-en.vtt", contentType: "text/vtt; charset=utf-8" },
);
const poster = await addFile(
  storage,
  PHOTO,
  {},
  { name: "cover-480.webp", contentType: "image/webp", needs: "see" },
);
const odd = await addFile(storage, PHOTO, {}, { name: "photo-2-480.webp", contentType: "image/png" });

test("nginx and the site answer alike for every kind of request", async () => {
  const adult = await adultCookie();
  const requests: [string, RequestInit][] = [];
  for (const { path, hash } of [
    photo,
    captions,
    poster,
    odd,
    await addFile(storage, Buffer.alloc(5_000, 3)),
  ]) {
    // Each viewer may ask for sixty parts in a second.
    const { cookie } = await cookiesOf("active");
    for (const [as, headers] of [
      [cookie, {}],
      [adult, {}],
      ["", {}],
      [cookie, { range: "bytes=3-7" }],
      [cookie, { range: "bytes=-4" }],
      [cookie, { range: "bytes=0-1,3-4" }],
      [cookie, { range: "bytes=9-3" }],
      [cookie, { range: "bytes=99999-" }],
      [cookie, { range: "lines=1-2" }],
      [cookie, { range: "bytes=1-3", "if-range": `"${hash}"` }],
      [cookie, { range: "bytes=1-3", "if-range": '"other"' }],
      [cookie, { "if-none-match": `"${hash}"` }],
      [cookie, { "if-none-match": '"other"' }],
      [cookie, { "if-match": '"other"' }],
      [cookie, { "if-modified-since": new Date().toUTCString() }],
      [cookie, { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" }],
      [cookie, { "sec-fetch-site": "cross-site" }],
    ] as const) {
      for (const method of ["GET", "HEAD"])
        requests.push([path, { method, headers: { cookie: as, ...headers } }]);
    }
    requests.push([`${path}?download`, { headers: { cookie } }], [`${path}x`, { headers: { cookie } }]);
  }
  for (const [path, init] of requests) {
    const said = JSON.stringify([path, init]);
    const [through, direct] = [
      await factsOf(site.fetch(path, init)),
      await factsOf(site.direct.fetch(path, init)),
    ];
    expect(through, said).toEqual(direct);
  }
});

test("no visitor without access gets a byte, however often a subscriber has had the file", async () => {
  const { cookie } = await cookiesOf("active");
  const { cookie: member } = await cookiesOf();
  const strangers = [member, await adultCookie(), "", cookie.replace(/session=[^;]+/, "session=forged")];
  const attempts: Record<string, string>[] = [
    {},
    { range: "bytes=0-3" },
    { "x-front-call": "file" },
    { "x-front-call": "stream", "x-front-key": "x" },
  ];
  const names = [photo.path, captions.path, long.path];
  for (const path of names.flatMap((name) => [name, `/x/..${name}`, `/${name}`, `${name}?x`])) {
    await getBytes(path, { cookie, range: "bytes=0-9" });
    await getBytes(path, { cookie });
    for (const stranger of strangers) {
      for (const headers of attempts) {
        const answer = await getBytes(path, { ...headers, cookie: stranger });
        expect([answer.status < 400, answer.isPaid], `${path} ${stranger}`).toEqual([false, false]);
      }
    }
  }
  const own = ["/_file", "/_video/members", "/_video/visitors", "/_may", "/_watch"];
  for (const folder of own)
    expect((await getBytes(folder + photo.path, { cookie })).status, folder).toBe(404);
}, 60_000);

test("a member has six videos at once, and a closed one gives its slot back", async () => {
  const { cookie, userId } = await cookiesOf("active");
  const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, () => openStream(cookie)));
  expect(streams.map(({ statusCode }) => statusCode)).toEqual(Array(MAX_STREAMS).fill(200));
  const refused = await openStream(cookie);
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "5"]);
  streams[0]?.destroy();
  await expect.poll(() => slotsOf(userId)).toBe(MAX_STREAMS - 1);
  for (const stream of streams) stream.destroy();
  await expect.poll(() => slotsOf(userId)).toBe(0);
});

// They wait, and have different members.
describe.concurrent("after a while", () => {
  test("a running video ends within ten seconds of the end of a subscription, a session, and the video, and of a sign-out", async ({
    expect,
  }) => {
    const withdrawn = await addFile(storage, Buffer.alloc(200 * MEGABYTE, 7));
    const ends: [string, (userId: string, cookie: string) => PromiseLike<unknown>][] = [
      [
        long.path,
        (userId) =>
          db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, userId)),
      ],
      [long.path, (userId) => db.delete(sessions).where(eq(sessions.userId, userId))],
      [
        long.path,
        (_, cookie) =>
          site.fetch("/signout", { method: "POST", headers: { cookie, "sec-fetch-site": "same-origin" } }),
      ],
      [
        withdrawn.path,
        () => db.update(media).set({ status: "withdrawn" }).where(eq(media.id, withdrawn.mediaId)),
      ],
    ];
    const { cookie: other } = await cookiesOf("active");
    const goesOn = await openStream(other);
    let isOver = false;
    void readSlowly(goesOn).then(() => {
      isOver = true;
    });
    const runs = ends.map(async ([path, end]) => {
      const { cookie, userId } = await cookiesOf("active");
      const closed = readSlowly(await openStream(cookie, path));
      await sleep(300);
      const endedAt = Date.now();
      await end(userId, cookie);
      const received = await closed;
      expect(Date.now() - endedAt).toBeLessThan(10_000);
      expect(received).toBeGreaterThan(MEGABYTE);
      expect(received).toBeLessThan(200 * MEGABYTE);
      expect((await getBytes(path, { cookie })).status).toBeGreaterThanOrEqual(400);
      expect(await slotsOf(userId)).toBe(0);
    });
    await Promise.all(runs);
    expect(isOver).toBe(false);
    goesOn.destroy();
  }, 30_000);

  test("a photo is refused within six seconds of the end of access", async ({ expect }) => {
    const { cookie, userId } = await cookiesOf("active");
    const see = async () => (await site.fetch(photo.path, { headers: { cookie } })).status;
    expect(await see()).toBe(200);
    await db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, userId));
    await expect.poll(see, { timeout: 6_500 }).toBe(403);
  });

  test("a video that runs keeps its slot, and one that stands still does not", async ({ expect }) => {
    const { cookie, userId } = await cookiesOf("active");
    const [running, still] = [await openStream(cookie), await openStream(cookie)];
    void readSlowly(running);
    await sleep(14_500);
    const [row] = await db.execute<{ count: number }>(sql`SELECT count(*)::int AS count FROM media_streams
      WHERE user_id = ${userId} AND renewed_at > now() - interval '8 seconds'`);
    expect(row?.count).toBe(1);
    for (const stream of [running, still]) stream.destroy();
  }, 30_000);
});

async function factsOf(response: Promise<Response>) {
  const { status, headers, ...answer } = await response.then(async (one) => ({
    status: one.status,
    headers: one.headers,
    body: await one.text(),
  }));
  const compared = [
    "content-type",
    "content-length",
    "content-range",
    "etag",
    "cache-control",
    "accept-ranges",
  ];
  const others = ["content-security-policy", "content-disposition", "last-modified", "retry-after"];
  return { status, ...answer, headers: [...compared, ...others].map((name) => [name, headers.get(name)]) };
}

/** Sends the path as it is, which fetch() would tidy. Reads as much as a photo is long. */
async function getBytes(path: string, headers: Record<string, string>) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet({ host: "127.0.0.1", port: site.port, path, headers, agent: false }, resolve).on("error", reject);
  });
  let received = "";
  for await (const chunk of answer) {
    received += chunk;
    if (received.length >= PHOTO.length) break;
  }
  const isPaid = received.includes("paid") || received.includes(String.fromCharCode(7));
  return { status: answer.statusCode ?? 0, isPaid };
}

function openStream(cookie: string, path = long.path): Promise<IncomingMessage> {
  return openVideo(site.origin + path, cookie);
}

async function slotsOf(userId: string): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM media_streams WHERE user_id = ${userId}`,
  );
  return row?.count ?? 0;
}
