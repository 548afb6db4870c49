import { get as httpGet, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { FRONT_KEY } from "#app/web/request/front-requests.server.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { openVideo, readSlowly } from "#tests/support/front/watch-video.ts";
import { addFile, cookiesOf, storageIn } from "#tests/support/media-site.ts";
import { adultCookie } from "#tests/support/people.ts";

const MEGABYTE = 1024 * 1024;
const site = await startFrontSite();
afterAll(() => site.stop());
const storage = storageIn(site.dataDir);
const long = await addFile(storage, Buffer.alloc(200 * MEGABYTE, 7), { allowDownload: true });
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

test("nginx and the site give the same answer to every kind of request", async () => {
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
    { "x-front-peer": "127.0.0.1", "x-front-key": "x" },
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
  expect((await getBytes(`/_file${photo.path}`, { cookie })).status).toBe(404);
}, 60_000);

const BY_NGINX: [string, string, Record<string, string>, boolean][] = [
  ["a photo", photo.path, {}, true],
  ["a part of a photo", photo.path, { range: "bytes=3-" }, true],
  ["captions", captions.path, {}, true],
  ["a video", long.path, {}, false],
  ["a bounded part of a video", long.path, { range: `bytes=100-${8 * MEGABYTE + 99}` }, true],
  ["a larger part of a video", long.path, { range: `bytes=100-${8 * MEGABYTE + 100}` }, false],
  [
    "a bounded part that has changed meanwhile",
    long.path,
    { range: "bytes=0-9", "if-range": '"old"' },
    false,
  ],
  ["a download", `${long.path}?download`, {}, true],
];

test.each(BY_NGINX)("%s is sent by the right one", async (_, path, headers, isByNginx) => {
  const { cookie } = await cookiesOf("active");
  const front = { "x-front-key": FRONT_KEY, "x-front-peer": "127.0.0.1" };
  const controller = new AbortController();
  const init = { headers: { cookie, ...headers }, signal: controller.signal };
  const answer = await site.direct.fetch(path, { ...init, headers: { ...init.headers, ...front } });
  expect(answer.ok).toBe(true);
  expect(answer.headers.has("x-accel-redirect")).toBe(isByNginx);
  const forged = await site.direct.fetch(path, {
    ...init,
    headers: { ...init.headers, ...front, "x-front-key": "x" },
  });
  expect(forged.headers.has("x-accel-redirect")).toBe(false);
  controller.abort();
});

test("a running video ends within ten seconds of the end of a subscription, and a download does not", async () => {
  const { cookie, userId } = await cookiesOf("active");
  const running = readSlowly(await openVideo(site.origin + long.path, cookie));
  const download = await openVideo(`${site.origin}${long.path}?download`, cookie);
  download.pause();
  await sleep(300);
  const endedAt = Date.now();
  await db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, userId));
  const received = await running;
  expect(Date.now() - endedAt).toBeLessThan(10_000);
  expect(received).toBeGreaterThan(MEGABYTE);
  expect(received).toBeLessThan(200 * MEGABYTE);
  for (const path of [long.path, `${long.path}?download`])
    expect((await getBytes(path, { cookie, range: "bytes=0-9" })).status).toBe(403);
  let downloaded = 0;
  for await (const chunk of download) downloaded += (chunk as Buffer).length;
  expect(downloaded).toBe(200 * MEGABYTE);
}, 60_000);

test("a photo is refused within six seconds of the end of access", async () => {
  const { cookie, userId } = await cookiesOf("active");
  const see = async () => (await site.fetch(photo.path, { headers: { cookie } })).status;
  expect(await see()).toBe(200);
  await db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, userId));
  await expect.poll(see, { timeout: 6_500 }).toBe(403);
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
