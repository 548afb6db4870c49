import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { problemOf, summaryOf } from "../support/forms.ts";

const MIB = 1024 * 1024;

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

test("a picture becomes the member's avatar, small, upright and without the camera's metadata", async () => {
  const { id, cookie } = await signedIn();
  const answer = await upload(cookie, await cameraPicture());
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    "/user/account?saved=picture#picture",
  ]);
  const path = await avatarPath(cookie);
  expect(path).toContain(id);

  const served = await site.fetch(path, { headers: { cookie } });
  expect(Object.fromEntries(served.headers)).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "private, no-store, no-transform",
  });
  const { width, height, format, ...facts } = await sharp(await served.arrayBuffer()).metadata();
  expect([width, height, format]).toEqual([256, 256, "webp"]);
  expect([facts.exif, facts.xmp, facts.iptc, facts.icc, facts.orientation]).toEqual(Array(5).fill(undefined));
});

test("a new picture replaces the previous one, whose address then stops working", async () => {
  const { id, cookie } = await signedIn();
  await upload(cookie, await cameraPicture());
  const before = await avatarPath(cookie);
  await upload(cookie, await cameraPicture("#148"));
  const after = await avatarPath(cookie);
  expect(await storedFiles(id)).toEqual([after.split("/").at(-1)]);
  const statuses = [before, after].map(
    async (path) => (await site.fetch(path, { headers: { cookie } })).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 200]);
});

test("the exported data contains the picture", async () => {
  const { cookie } = await signedIn();
  const exported = async () =>
    (await (await site.fetch("/user/account/export", { headers: { cookie } })).json()).avatar;
  expect(await exported()).toBeNull();
  await upload(cookie, await cameraPicture());
  const avatar = await site.fetch(await avatarPath(cookie), { headers: { cookie } });
  const bytes = Buffer.from(await avatar.arrayBuffer()).toString("base64");
  expect(await exported()).toBe(`data:image/webp;base64,${bytes}`);
});

test("too many pictures are refused for a while", async () => {
  const { id, cookie } = await signedIn();
  while ((await takePoint("picturesByUser", id)) === null);
  const refused = await upload(cookie, await cameraPicture());
  expect(refused.status).toBe(429);
  expect(await storedFiles(id)).toEqual([]);
});

test("only its owner gets an avatar", async () => {
  const { cookie } = await signedIn();
  await upload(cookie, await cameraPicture());
  const path = await avatarPath(cookie);
  const stranger = await signedIn();
  const adult = stranger.cookie.split("; ").slice(1).join("; ");
  for (const other of [stranger.cookie, adult, ""]) {
    const refused = await site.fetch(path, { headers: { cookie: other } });
    expect([refused.status, (await refused.arrayBuffer()).byteLength]).toEqual([403, 0]);
  }
});

test.each([
  ["no picture", Buffer.from("hello"), 422, /Please choose another picture\.$/],
  ["nothing", Buffer.alloc(0), 422, /^The file is empty\./],
  [
    "a drawing that could carry scripts",
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    422,
    /Please choose another picture\.$/,
  ],
  ["a page", Buffer.from("<!doctype html><script>alert(1)</script>"), 422, /another picture\.$/],
  ["half a picture", Buffer.from("ffd8ffe000104a464946", "hex"), 422, /another picture\.$/],
  ["more than five megabytes", Buffer.alloc(6 * MIB), 413, /^This file is larger than 5 MB\./],
])("%s is refused beside the field and leaves nothing behind", async (_, bytes, status, why) => {
  const { id, cookie } = await signedIn();
  const refused = await upload(cookie, bytes);
  const page = await refused.text();
  expect(refused.status).toBe(status);
  expect(problemOf(page, "avatar")).toMatch(why);
  expect(summaryOf(page)).toEqual(["avatar"]);
  expect(await storedFiles(id)).toEqual([]);
});

test("a form without a file, or with something else, asks for a file", async () => {
  const { id, cookie } = await signedIn();
  const unchosen = new FormData();
  unchosen.set("avatar", new File([], "", { type: "application/octet-stream" }));
  const text = new FormData();
  text.set("avatar", "me.jpg");
  for (const body of [unchosen, text, new FormData()]) {
    const refused = await site.fetch("/user/account", {
      method: "POST",
      body,
      headers: { cookie, origin: site.origin },
    });
    expect(refused.status).toBe(422);
    expect(problemOf(await refused.text(), "avatar")).toBe("Please choose a picture file first.");
  }
  expect(await storedFiles(id)).toEqual([]);
});

test("a picture of absurd size is refused before it is decoded", async () => {
  const { id, cookie } = await signedIn();
  const flood = await sharp({ create: { width: 12_000, height: 6_000, channels: 3, background: "#fff" } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  expect(flood.byteLength).toBeLessThan(5 * MIB);
  expect((await upload(cookie, flood)).status).toBe(422);
  expect(await storedFiles(id)).toEqual([]);
});

test("removing the picture removes the file", async () => {
  const { id, cookie } = await signedIn();
  await upload(cookie, await cameraPicture());
  expect(await storedFiles(id)).toHaveLength(1);
  const headers = { cookie, origin: site.origin };
  await site.fetch("/user/account/avatar-removal", { method: "POST", headers });
  expect(await storedFiles(id)).toEqual([]);
});

async function signedIn() {
  const { id } = await createMember();
  return { id, cookie: await signedInCookie(id) };
}

/** A picture as a phone makes it: rotated, with a location and a serial number. */
async function cameraPicture(background = "#814"): Promise<Buffer> {
  return sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .withExif({
      IFD0: { Make: "Canary", Orientation: "6" },
      IFD2: { BodySerialNumber: "SN-1" },
      IFD3: { GPSLatitude: "41/1 9/1 0/1", GPSLatitudeRef: "N" },
    })
    .jpeg()
    .toBuffer();
}

function upload(cookie: string, bytes: Buffer): Promise<Response> {
  const body = new FormData();
  body.set("avatar", new File([new Uint8Array(bytes)], "../../me.jpg", { type: "image/jpeg" }));
  return site.fetch("/user/account", {
    method: "POST",
    body,
    headers: { cookie, origin: site.origin },
  });
}

async function avatarPath(cookie: string): Promise<string> {
  const page = await (await site.fetch("/user/account", { headers: { cookie } })).text();
  return /\/media\/avatars\/[\w/-]+\.webp/.exec(page)?.[0] ?? "none";
}

function storedFiles(userId: string): Promise<string[]> {
  return readdir(join(site.dataDir, "media", "avatars", userId)).catch(() => []);
}
