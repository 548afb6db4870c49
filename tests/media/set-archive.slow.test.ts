import { execFile, spawnSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Entry, fromBufferPromise } from "yauzl";
import { config } from "#app/config.server.ts";
import { LIMITS } from "#app/domain/auth/rate-limits.server.ts";
import { claimFileVersion, replaceFiles } from "#app/domain/catalog/edit/files/replace-files.server.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { storeMediaFile } from "#app/domain/media/store-file.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { createPhotoSet, HOST } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { leaveOutPhoto } from "#tests/support/photo-order.ts";
import { type Site, startSite } from "#tests/support/site.ts";

const TITLE = "Été à la plage: 写真";
const FOLDER = "Été à la plage_ 写真";
const LARGE_BYTES = 8_000_000;

let site: Site;
beforeAll(async () => {
  site = await startSite({ dataDir: config.dataDir });
});
afterAll(() => site.stop());

/** A set for subscribers, whose photos have these bytes as their JPEGs. */
async function createSet(photos: Buffer[], facts: Parameters<typeof createPhotoSet>[0] = {}) {
  const { id, slug } = await createPhotoSet({
    ...{ title: TITLE, allowDownload: true, photos: photos.length, withFiles: true },
    ...facts,
  });
  const version = (await claimFileVersion(id)) ?? 0;
  const files = await Promise.all(
    photos.map((bytes, index) =>
      storeMediaFile(bytes, {
        ...{ mediaId: id, version, name: fileNames.photoDownload(index + 1, 800), contentType: "image/jpeg" },
        ...{ needs: "download", width: 800, height: 600 },
      }),
    ),
  );
  await db.transaction((tx) => replaceFiles(tx, id, files));
  return { id, page: paths.media("photoSet", slug), path: paths.mediaArchive(id) };
}

async function subscriber() {
  const { id } = await createMember();
  await subscribe(id, "active");
  return { id, cookie: await signedInCookie(id) };
}

const get = (path: string, cookie: string, headers: Record<string, string> = {}, method = "GET") =>
  site.fetch(path, { method, headers: { cookie, ...headers } });

/** A computer may have only some of these programs; CI has them all (scripts/build/programs.mjs). */
function isThere(program: string): boolean {
  const isFound = spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  if (!isFound && process.env.CI) throw new Error(`CI has no ${program}`);
  return isFound;
}

const PROGRAMS = (["curl", "wget"] as const).filter(isThere);

/** Lets a program write to `file`, and go on where it ends. */
async function downloadWith(
  program: (typeof PROGRAMS)[number],
  path: string,
  cookie: string,
  file: string,
): Promise<void> {
  const args = {
    curl: ["--silent", "--fail", "--max-time", "60", "--continue-at", "-", "--output", file],
    wget: ["--quiet", "--timeout=60", "--tries=1", "--continue", `--output-document=${file}`],
  }[program];
  const sent = ["--header", `Cookie: ${cookie}`, `${site.origin}${path}`];
  await promisify(execFile)(program, [...args, ...sent]);
}

/** Lets a program complete a file that was cut after `part`. */
async function goOnWith(program: (typeof PROGRAMS)[number], path: string, cookie: string, part: Buffer) {
  const file = join(await mkdtemp(join(tmpdir(), "peony-download-")), "set.zip");
  await writeFile(file, part);
  await downloadWith(program, path, cookie, file);
  return readFile(file);
}

/** Programs with readers of their own: how each writes the files of an archive to a folder. */
const READERS = {
  unzip: (file: string, folder: string) => ["-qq", file, "-d", folder],
  python3: (file: string, folder: string) => ["-m", "zipfile", "--extract", file, folder],
};

/** They test the checksums while they write. */
async function expectReadable(archive: Buffer, names: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "peony-archive-"));
  const file = join(folder, "set.zip");
  await writeFile(file, archive);
  for (const [program, argsFor] of Object.entries(READERS)) {
    if (!isThere(program)) continue;
    const own = join(folder, program);
    const env = { ...process.env, LC_ALL: "C.UTF-8" };
    await promisify(execFile)(program, argsFor(file, own), { timeout: 60_000, env });
    const written = await readdir(own, { recursive: true, withFileTypes: true });
    const files = written.filter((entry) => entry.isFile());
    expect(files.map(({ name, parentPath }) => join(parentPath, name).slice(own.length + 1)).sort()).toEqual(
      names,
    );
  }
}

async function unpack(archive: Buffer): Promise<[string, Buffer][]> {
  const zip = await fromBufferPromise(archive);
  const found: [string, Buffer][] = [];
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>) {
    found.push([entry.fileName, await buffer(await zip.openReadStreamPromise(entry))]);
  }
  return found;
}

test("a subscriber gets all shown photos in one file of the announced length, and any part of it again", async () => {
  const photos = [70_001, 0, 150_000, 3].map((length) => randomBytes(length));
  const { id, path, page } = await createSet(photos);
  const [leftOut] = await db.execute<{ id: string }>(
    sql`SELECT id FROM photos WHERE media_id = ${id} AND number = 2`,
  );
  expect(await leaveOutPhoto(HOST, id, leftOut?.id ?? "")).toBeNull();
  const { cookie } = await subscriber();

  const answer = await get(path, cookie);
  const whole = Buffer.from(await answer.arrayBuffer());
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    ...{
      "content-type": "application/zip",
      "content-length": String(whole.length),
      "accept-ranges": "bytes",
    },
    "content-disposition": expect.stringContaining(encodeURIComponent("写真")),
    "cache-control": "private, no-store, no-transform",
  });
  expect(await unpack(whole)).toEqual([
    [`${FOLDER}/01.jpg`, photos[0]],
    [`${FOLDER}/02.jpg`, photos[2]],
    [`${FOLDER}/03.jpg`, photos[3]],
  ]);
  await expectReadable(whole, [`${FOLDER}/01.jpg`, `${FOLDER}/02.jpg`, `${FOLDER}/03.jpg`]);
  const tag = answer.headers.get("etag") ?? "";
  const link = `${path}?v=${JSON.parse(tag)}&amp;download`;
  expect(await (await get(page, cookie)).text()).toContain(`href="${link}"`);

  const head = await get(path, cookie, {}, "HEAD");
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(whole.length)]);
  // A member may request `points` parts a second, which a fast machine sends in less.
  const { points } = LIMITS.rangesByViewer;
  const second = await subscriber();
  for (let count = 0; count < points; count += 1) {
    const start = randomInt(whole.length);
    const end = randomInt(start, whole.length);
    const part = await get(path, second.cookie, { range: `bytes=${start}-${end}`, "if-range": tag });
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      `bytes ${start}-${end}/${whole.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(start, end + 1))).toBe(true);
  }
  const third = await subscriber();
  for (let count = 0; count < points / 2; count += 1) {
    const length = randomInt(1, whole.length);
    for (const range of [`bytes=${whole.length - length}-`, `bytes=-${length}`]) {
      const part = await get(path, third.cookie, { range });
      expect([part.status, part.headers.get("content-length")], range).toEqual([206, String(length)]);
      expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(-length)), range).toBe(true);
    }
  }
  expect((await get(path, cookie, { range: `bytes=${whole.length}-` })).status).toBe(416);
  expect((await get(path, cookie, { "if-none-match": tag })).status).toBe(304);
  const other = await get(path, cookie, { range: "bytes=5-", "if-range": `"another"` });
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, whole.length]);
});

test.each([
  ["Été, Ærø, Straße", "Été, Ærø, Straße"],
  ["写真集・사진", "写真集・사진"],
  ["Nul", "Nul_"],
  ['A/B: "C" ...', "A_B_ _C_"],
  ["写".repeat(150), "写".repeat(66)],
])("the photos of %j are in a folder that other programs write as %j", async (title, folder) => {
  const { path } = await createSet([randomBytes(50)], { title });
  const { cookie } = await subscriber();
  const archive = Buffer.from(await (await get(path, cookie)).arrayBuffer());
  await expectReadable(archive, [`${folder}/01.jpg`]);
});

test("a download continues after a restart of the site, unless a photo was replaced", async () => {
  const photos = [randomBytes(50_000), randomBytes(60_000)];
  const { id, path } = await createSet(photos);
  const { cookie } = await subscriber();
  const before = await get(path, cookie);
  const whole = Buffer.from(await before.arrayBuffer());
  await site.stop();
  site = await startSite({ dataDir: config.dataDir });
  const rest = { range: "bytes=40000-", "if-range": before.headers.get("etag") ?? "" };
  const after = await get(path, cookie, rest);
  expect(after.status).toBe(206);
  expect(Buffer.from(await after.arrayBuffer()).equals(whole.subarray(40_000))).toBe(true);
  const link = `${path}?v=${JSON.parse(before.headers.get("etag") ?? "")}&download`;
  for (const program of PROGRAMS) {
    expect((await goOnWith(program, link, cookie, whole.subarray(0, 40_000))).equals(whole), program).toBe(
      true,
    );
  }

  const version = (await claimFileVersion(id)) ?? 0;
  const file = await storeMediaFile(randomBytes(60_000), {
    ...{ mediaId: id, version, name: fileNames.photoDownload(2, 800), contentType: "image/jpeg" },
    ...{ needs: "download", width: 800, height: 600 },
  });
  await db.transaction((tx) => replaceFiles(tx, id, [file]));
  const changed = await get(path, cookie, rest);
  expect(changed.status).toBe(200);
  expect((await unpack(Buffer.from(await changed.arrayBuffer()))).map(([name]) => name)).toHaveLength(2);
  const withoutCondition = { range: "bytes=40000-" };
  const refused = await get(link, cookie, withoutCondition);
  expect([refused.status, await refused.text()]).toEqual([
    412,
    "This set has changed since your download began. Delete the part you have, then download it again.",
  ]);
  for (const program of PROGRAMS) {
    await expect(goOnWith(program, link, cookie, whole.subarray(0, 40_000)), program).rejects.toThrow();
  }
  for (const [address, headers, status] of [
    [path, withoutCondition, 206],
    [link, {}, 200],
    [link, rest, 200],
  ] as const) {
    const sent = await get(address, cookie, headers);
    expect(sent.status).toBe(status);
    await sent.arrayBuffer();
  }
});

test("only those who may download the photos get them, and nobody when there are none", async () => {
  const [photo] = [randomBytes(100)];
  const statusFor = async (cookie: string, facts: Parameters<typeof createPhotoSet>[0]) => {
    const { path } = await createSet([photo], facts);
    const answer = await get(path, cookie);
    return [answer.status, (await answer.arrayBuffer()).byteLength > 0];
  };
  const { cookie } = await subscriber();
  const member = await signedInCookie((await createMember()).id);
  const adult = await adultCookie();
  expect(await statusFor("", { access: "free" })).toEqual([403, false]);
  expect(await statusFor(adult, { access: "free" })).toEqual([200, true]);
  expect(await statusFor(adult, {})).toEqual([403, false]);
  expect(await statusFor(member, {})).toEqual([403, false]);
  expect(await statusFor(cookie, {})).toEqual([200, true]);
  expect(await statusFor(cookie, { allowDownload: false })).toEqual([403, false]);
  expect(await statusFor(cookie, { status: "draft" })).toEqual([404, false]);
  expect(await statusFor(cookie, { status: "takenDown" })).toEqual([410, false]);
  const { path } = await createSet([photo]);
  expect(await (await get(`${path}?download`, member)).text()).toBe(
    "You cannot download this set right now. Your subscription may have ended, or the site may no longer offer the download.",
  );
  const { id } = await createPhotoSet({ photos: 0, allowDownload: true });
  expect((await get(paths.mediaArchive(id), cookie)).status).toBe(404);
});

test("a click on the link is answered with a sentence, and leads to the gate first", async () => {
  const { path } = await createSet([randomBytes(100)], { access: "free" });
  const link = `${path}?download`;
  const gate = await get(link, "");
  expect([gate.status, gate.headers.get("location")]).toEqual([302, paths.enter(`${link}=`)]);
  const cookie = await adultCookie();
  const remote = await get(link, cookie, { "sec-fetch-site": "cross-site" });
  expect([remote.status, await remote.text()]).toEqual([
    403,
    "Another site started this download. Open the page of the set and start it there.",
  ]);
  const member = (await subscriber()).cookie;
  await db.delete(rateLimits);
  await (await get(link, member, { range: "bytes=0-9" })).arrayBuffer();
  await db
    .update(rateLimits)
    .set({ points: LIMITS.rangesByViewer.points, expire: sql`now() + interval '1 minute'` });
  const limited = await get(link, member, { range: "bytes=0-9" });
  expect([limited.status, limited.headers.get("retry-after"), await limited.text()]).toEqual([
    429,
    "1",
    "You have requested many parts of files in a short time. Please try again in a few seconds.",
  ]);
});

test("a member gets one archive at a time", async () => {
  const { path } = await createSet([1, 2, 3].map(() => randomBytes(LARGE_BYTES)));
  const { cookie } = await subscriber();
  const first = await get(path, cookie);
  const second = await get(path, cookie);
  expect([second.status, await second.text()]).toEqual([
    429,
    "You are already downloading a set. Try again when it has finished.",
  ]);
  expect((await get(path, (await subscriber()).cookie, { range: "bytes=0-9" })).status).toBe(206);
  await first.body?.cancel();
  await expect.poll(async () => (await get(path, cookie, { range: "bytes=0-9" })).status).toBe(206);
});

test("a download continues although the site still believes the old connection alive", async () => {
  const { path } = await createSet([1, 2, 3].map(() => randomBytes(LARGE_BYTES)));
  const { cookie } = await subscriber();
  const cut = await get(path, cookie);
  const bytes = Number(cut.headers.get("content-length"));
  expect((await get(path, cookie)).status).toBe(429);
  expect((await get(path, cookie, { range: "bytes=0-99" })).status).toBe(429);
  const rest = await get(path, cookie, { range: "bytes=1000000-" });
  expect([rest.status, (await rest.arrayBuffer()).byteLength]).toEqual([206, bytes - 1_000_000]);
  // The one before is cut.
  await expect(cut.arrayBuffer()).rejects.toThrow();
});

test("resuming the download of one set does not end the running download of another", async () => {
  const photos = [1, 2, 3].map(() => randomBytes(LARGE_BYTES));
  const [first, second] = [await createSet(photos), await createSet(photos)];
  const { cookie } = await subscriber();
  const cut = await get(first.path, cookie);
  await cut.body?.cancel();
  const rest = { range: "bytes=1000000-" };
  // The site learns a moment later that the first has ended.
  let running = await get(second.path, cookie);
  await expect
    .poll(async () => {
      if (running.status === 429) running = await get(second.path, cookie);
      return running.status;
    })
    .toBe(200);
  const refused = await get(first.path, cookie, rest);
  expect([refused.status, await refused.text()]).toEqual([
    429,
    "You are already downloading a set. Try again when it has finished.",
  ]);
  expect((await running.arrayBuffer()).byteLength).toBe(Number(running.headers.get("content-length")));
  const goneOn = await get(first.path, cookie, rest);
  expect([goneOn.status, (await goneOn.arrayBuffer()).byteLength]).toEqual([
    206,
    Number(cut.headers.get("content-length")) - 1_000_000,
  ]);
});

test("strangers behind one address do not end each other's downloads", async () => {
  const { path } = await createSet(
    [1, 2, 3].map(() => randomBytes(LARGE_BYTES)),
    { access: "free" },
  );
  const first = await get(path, await adultCookie());
  const second = await get(path, await adultCookie(), { range: "bytes=1000-" });
  expect(second.status).toBe(429);
  expect((await first.arrayBuffer()).byteLength).toBe(Number(first.headers.get("content-length")));
});

test("no further photo is sent when access ends", async () => {
  const photos = [1, 2, 3, 4].map(() => randomBytes(LARGE_BYTES));
  const { path } = await createSet(photos);
  const { cookie, id } = await subscriber();
  const answer = await get(path, cookie);
  const reader = answer.body?.getReader();
  let received = (await reader?.read())?.value?.length ?? 0;
  await db.execute(sql`UPDATE subscriptions SET status = 'canceled' WHERE user_id = ${id}`);
  for (;;) {
    const read = await reader?.read().catch(() => undefined);
    if (read?.value === undefined) break;
    received += read.value.length;
  }
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThanOrEqual(2 * LARGE_BYTES);
  expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(4 * LARGE_BYTES);
});
