import { execFile } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Entry, fromBufferPromise } from "yauzl";
import { config } from "#app/config.server.ts";
import { claimFileVersion, replaceFiles } from "#app/domain/catalog/edit/files/replace-files.server.ts";
import { leaveOutPhoto } from "#app/domain/catalog/edit/photos/photo-order.server.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { storeMediaFile } from "#app/domain/media/store-file.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { createPhotoSet, HOST } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
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

/** A computer may have only one of them. */
const PROGRAMS = (["curl", "wget"] as const).filter((name) => existsSync(`/usr/bin/${name}`));

/** Lets a program complete a file that was cut after `part`. */
async function goOnWith(program: (typeof PROGRAMS)[number], path: string, cookie: string, part: Buffer) {
  const file = join(await mkdtemp(join(tmpdir(), "peony-download-")), "set.zip");
  await writeFile(file, part);
  const args = {
    curl: ["--silent", "--fail", "--max-time", "30", "--continue-at", "-", "--output", file],
    wget: ["--quiet", "--timeout=30", "--tries=1", "--continue", `--output-document=${file}`],
  }[program];
  await promisify(execFile)(program, [...args, "--header", `Cookie: ${cookie}`, `${site.origin}${path}`]);
  return readFile(file);
}

/** Programs with readers of their own; a computer may have none of them. */
const READERS = { unzip: ["-tqq"], python3: ["-m", "zipfile", "--test"] };

async function expectReadable(archive: Buffer): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), "peony-archive-")), "set.zip");
  await writeFile(file, archive);
  for (const [program, args] of Object.entries(READERS)) {
    await promisify(execFile)(program, [...args, file], { timeout: 60_000 }).catch((error) => {
      if (error.code !== "ENOENT") throw error;
    });
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
  const [third] = await db.execute<{ id: string }>(
    sql`SELECT id FROM photos WHERE media_id = ${id} AND number = 2`,
  );
  expect(await leaveOutPhoto(HOST, id, third?.id ?? "")).toBeNull();
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
  await expectReadable(whole);
  expect(await (await get(page, cookie)).text()).toContain(`href="${path}?download"`);

  const head = await get(path, cookie, {}, "HEAD");
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(whole.length)]);
  const tag = answer.headers.get("etag") ?? "";
  for (let count = 0; count < 60; count += 1) {
    const start = randomInt(whole.length);
    const end = randomInt(start, whole.length);
    const part = await get(path, cookie, { range: `bytes=${start}-${end}`, "if-range": tag });
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      `bytes ${start}-${end}/${whole.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(start, end + 1))).toBe(true);
  }
  expect((await get(path, cookie, { range: `bytes=${whole.length}-` })).status).toBe(416);
  expect((await get(path, cookie, { "if-none-match": tag })).status).toBe(304);
  const other = await get(path, cookie, { range: "bytes=5-", "if-range": `"another"` });
  expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, whole.length]);
});

test("a download goes on after the site was restarted, unless a photo was replaced", async () => {
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
  for (const program of PROGRAMS) {
    expect((await goOnWith(program, path, cookie, whole.subarray(0, 40_000))).equals(whole), program).toBe(
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
});

test("only who may download the photos gets them, and nobody when there are none", async () => {
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
  const { id } = await createPhotoSet({ photos: 0, allowDownload: true });
  expect((await get(paths.mediaArchive(id), cookie)).status).toBe(404);
});

test("an archive waits for the checksums of old files", async () => {
  const { path, id } = await createSet([randomBytes(100)]);
  await db.execute(sql`UPDATE media_files SET crc32 = NULL WHERE media_id = ${id}`);
  const answer = await get(path, (await subscriber()).cookie);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
});

test("a member gets one archive at a time", async () => {
  const { path } = await createSet([1, 2, 3].map(() => randomBytes(LARGE_BYTES)));
  const { cookie } = await subscriber();
  const first = await get(path, cookie);
  const second = await get(path, cookie);
  expect([second.status, await second.text()]).toEqual([
    429,
    "You are downloading a set already. When that has ended, try again.",
  ]);
  expect((await get(path, (await subscriber()).cookie, { range: "bytes=0-9" })).status).toBe(206);
  await first.body?.cancel();
  await expect.poll(async () => (await get(path, cookie, { range: "bytes=0-9" })).status).toBe(206);
});

test("when the access ends, no further photo is sent", async () => {
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
