import { get as httpGet, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { paths } from "#app/paths.ts";
import { frontMac } from "#app/web/session/front-proof.server.ts";
import { db } from "#db/client.server.ts";
import { media } from "#db/schema/catalog.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { addFile, cookiesOf } from "#tests/support/media-site.ts";
import { adultCookie } from "#tests/support/people.ts";

const LIST = paths.list("video");
const BYTES = Buffer.from("the bytes of a cover");
const COVER = { name: "cover-480.webp", needs: "see", contentType: "image/webp" } as const;
const FRONT_PART = /adult=(\d{10})\.([\w-]{22})\./;
const site = await startFrontSite();
afterAll(() => site.stop());
const storage = localStorage(join(site.dataDir, "media"));
const [adult, other] = [await adultCookie(), await adultCookie()];
const cover = await addFile(storage, BYTES, {}, COVER);

beforeEach(async () => {
  expect([await statusOf(LIST, adult), await statusOf(cover.path, adult)]).toEqual([200, 200]);
});

test.each([
  [
    "a MAC with one character changed",
    () => adult.replace(FRONT_PART, (_, end, mac) => part(end, changed(mac))),
  ],
  ["a later end", () => adult.replace(FRONT_PART, (_, end, mac) => part(String(Number(end) + 1), mac))],
  ["a MAC that is cut off", () => adult.replace(FRONT_PART, (_, end, mac) => part(end, mac.slice(0, 21)))],
  ["no MAC", () => adult.replace(FRONT_PART, (_, end) => part(end, ""))],
  [
    "only the part for nginx, which is forged",
    () => adult.replace(/adult=[^;]+/, `adult=9999999999.${"A".repeat(22)}.x`),
  ],
])("a proof with %s costs nothing but speed, or gets the gate", async (_, cookieOf) => {
  const cookie = cookieOf();
  const expected = await directly(cookie);
  expect([await statusOf(LIST, cookie), await statusOf(cover.path, cookie)]).toEqual(expected);
});

test.each([
  ["another browser's proof", () => `${adult.split("; ")[0]}; ${other.split("; ")[1]}`],
  ["a proof without its browser", () => adult.split("; ")[0] ?? ""],
  ["an expired proof", expiredProof],
  ["the browser's cookie inside another one", () => `${adult.split("; ")[0]}; x=${other.split("; ")[1]}`],
])("%s gets the gate and no cover, though nginx keeps both", async (_, cookieOf) => {
  const cookie = cookieOf();
  expect([await statusOf(LIST, cookie), await statusOf(cover.path, cookie)]).toEqual([302, 403]);
});

test("a proof of an earlier release opens the same", async () => {
  const old = adult.replace(FRONT_PART, "adult=");
  expect(old).not.toBe(adult);
  expect([await statusOf(LIST, old), await statusOf(cover.path, old)]).toEqual([200, 200]);
});

test("a second browser gets a kept cover without the site, and nobody else does", async () => {
  site.direct.process.kill("SIGSTOP");
  try {
    const kept = await ask(cover.path, other);
    expect([kept.status, kept.body]).toEqual([200, BYTES.toString()]);
  } finally {
    site.direct.process.kill("SIGCONT");
  }
  const { cookie: member } = await cookiesOf("active");
  for (const [cookie, headers, status] of [
    ["", {}, 403],
    ["browser=x", {}, 403],
    [adult, { "sec-fetch-site": "cross-site" }, 403],
    [adult, { range: "bytes=0-3" }, 206],
    [member, {}, 200],
  ] as const) {
    expect((await ask(cover.path, cookie, headers)).status).toBe(status);
  }
  for (const path of [`${cover.path}?x`, `/x/..${cover.path}`, cover.path.replace("cover", "%63over")])
    expect((await ask(path, "")).status, path).toBe(403);
});

test("a kept cover ends within six seconds of its video", async () => {
  const withdrawn = await addFile(storage, BYTES, {}, COVER);
  expect(await statusOf(withdrawn.path, adult)).toBe(200);
  await db.update(media).set({ status: "withdrawn" }).where(eq(media.id, withdrawn.mediaId));
  await expect
    .poll(() => statusOf(withdrawn.path, other), { timeout: 6_500, interval: 200 })
    .toBeGreaterThan(400);
  expect(await statusOf(withdrawn.path, adult)).toBeGreaterThan(400);
});

test("a cookie hidden behind a proof makes the request a personal one", async () => {
  const { cookie: member } = await cookiesOf("active");
  const session = /session=[^;]+/.exec(member)?.[0] ?? "";
  for (const cookie of [`${session}; ${adult}`, `${adult}; ${session}`, `${adult} /x; ${session}`])
    expect((await ask(LIST, cookie)).policy, cookie).not.toContain("sha256-");
});

test("covers answer alike through nginx and without it", async () => {
  for (const method of ["GET", "HEAD"]) {
    const conditions: Record<string, string>[] = [
      {},
      { range: "bytes=0-3" },
      { "if-none-match": `"${cover.hash}"` },
    ];
    for (const headers of conditions) {
      const [through, direct] = await Promise.all(
        [site, site.direct].map(async (one) => {
          const answer = await one.fetch(cover.path, { method, headers: { cookie: adult, ...headers } });
          const names = [
            "content-type",
            "content-length",
            "etag",
            "cache-control",
            "accept-ranges",
            "content-range",
          ];
          const policy = answer.headers.get("content-security-policy");
          return [answer.status, await answer.text(), policy, names.map((name) => answer.headers.get(name))];
        }),
      );
      expect(through).toEqual(direct);
    }
  }
});

function part(end: string, mac: string): string {
  return `adult=${end}.${mac}.`;
}

function changed(mac: string): string {
  return `${mac.startsWith("A") ? "B" : "A"}${mac.slice(1)}`;
}

/** Its MAC is good for nginx, and only its time is over. */
function expiredProof(): string {
  const end = Math.floor(Date.now() / 1000) - 10;
  const browser = adult.split("; browser=")[1] ?? "";
  const expired = `adult=${end}.${frontMac(`${end} ${browser}`)}.x`;
  return `${expired}; browser=${browser}`;
}

async function directly(cookie: string): Promise<number[]> {
  const answers = [LIST, cover.path].map((path) => site.direct.fetch(path, { headers: { cookie } }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

async function statusOf(path: string, cookie: string): Promise<number> {
  return (await ask(path, cookie)).status;
}

/** Sends the path as it is, which fetch() would tidy. */
async function ask(path: string, cookie: string, headers: Record<string, string> = {}) {
  const sent = { cookie, "accept-encoding": "gzip", ...headers };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet({ host: "127.0.0.1", port: site.port, path, headers: sent, agent: false }, resolve).on(
      "error",
      reject,
    );
  });
  let body = "";
  for await (const chunk of answer) body += chunk;
  const policy = String(answer.headers["content-security-policy"] ?? "");
  return { status: answer.statusCode ?? 0, body, policy };
}
