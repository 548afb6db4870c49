import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { findVideoContents } from "#app/domain/catalog/media/contents.server.ts";
import { releaseDueMedia } from "#app/domain/catalog/media/publishing.server.ts";
import { db } from "#db/client.server.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

const script = await builtScript("import-media");
const dataDir = await mkdtemp(join(tmpdir(), "peony-import-"));
const mediaDir = join(dataDir, "media");
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peony-source-"));
  await rm(mediaDir, { recursive: true, force: true });
  await db.execute(sql`TRUNCATE media, creators, tags CASCADE`);
});

function ffmpeg(
  name: string,
  options: string[],
  { size = "320x240", seconds = 1, sound = true } = {},
): string {
  const path = join(folder, name);
  const inputs = ["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=10:duration=${seconds}`];
  if (sound) inputs.push("-f", "lavfi", "-i", `sine=frequency=300:duration=${seconds}`);
  execFileSync("ffmpeg", ["-v", "error", "-y", ...inputs, ...options, path]);
  return path;
}

const H264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "ultrafast"];

function start(args: string[] = []) {
  const child = spawn(process.execPath, [script, folder, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, output })) };
}

const run = (...args: string[]) => start(args).ended;

async function rows() {
  return db.execute<{
    title: string;
    type: string;
    width: number;
    height: number;
    has_audio: boolean | null;
  }>(sql`
    SELECT title, type, width, height, photo_count, access, duration_seconds, has_audio
    FROM media LEFT JOIN videos ON media_id = id ORDER BY title`);
}

async function filesOnDisk(): Promise<string[]> {
  const entries = await readdir(mediaDir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** Every row must have its file, and every file its row. */
async function expectDiskToMatch() {
  const keys = await db.execute<{ storage_key: string }>(sql`SELECT storage_key FROM media_files`);
  const entries = await readdir(join(mediaDir, "media"), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const found = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(found.sort()).toEqual(keys.map(({ storage_key }) => join(mediaDir, storage_key)).sort());
  expect(await readdir(join(mediaDir, ".incoming")).catch(() => [])).toEqual([]);
}

test("videos of every kind are imported, and a second run finds them", async () => {
  ffmpeg("plain one.mp4", [...H264, "-c:a", "aac"]);
  ffmpeg("matroska.mkv", [...H264, "-c:a", "libmp3lame"]);
  ffmpeg("Ünïcode 映画.webm", [
    "-c:v",
    "libvpx-vp9",
    "-deadline",
    "realtime",
    "-cpu-used",
    "8",
    "-c:a",
    "libopus",
  ]);
  ffmpeg("old.avi", ["-c:v", "mpeg4", "-c:a", "mp3"]);
  ffmpeg("silent.mov", [...H264], { sound: false });
  ffmpeg("odd.mkv", ["-vf", "format=yuv444p,scale=321:241", "-c:v", "ffv1"]);
  const upright = ffmpeg("base.mp4", [...H264, "-metadata", "location=+51.5+000.1/"], { size: "640x360" });
  execFileSync("ffmpeg", [
    "-v",
    "error",
    "-i",
    upright,
    "-c",
    "copy",
    "-metadata:s:v",
    "rotate=90",
    join(folder, "turned.mp4"),
  ]);

  const first = await run();
  expect(first).toMatchObject({ code: 0 });
  expect(first.output).toContain("8 imported, 0 already there, 0 refused");
  const found = new Map((await rows()).map((row) => [row.title, row]));
  expect(found.get("plain one")).toMatchObject({
    type: "video",
    access: "subscriber",
    width: 320,
    has_audio: true,
  });
  expect(found.get("silent")).toMatchObject({ has_audio: false });
  expect(found.get("odd")).toMatchObject({ width: 322, height: 242 });
  expect(found.get("turned")).toMatchObject({ width: 360, height: 640 });
  expect(found.has("Ünïcode 映画")).toBe(true);
  await expectDiskToMatch();
  expect(await posterOf("turned")).toEqual({ width: 360, height: 640 });
  expect(await posterOf("plain one")).toEqual({ width: 320, height: 240 });
  expect(await posterOf("base")).toBeNull();
  for (const { storage_key } of await db.execute<{ storage_key: string }>(
    sql`SELECT storage_key FROM media_files WHERE content_type = 'video/mp4'`,
  )) {
    const bytes = await readFile(join(mediaDir, storage_key));
    expect(bytes.includes("+51.5+000.1")).toBe(false);
    expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
  }

  const before = await rows();
  expect((await run()).output).toContain("0 imported, 8 already there, 0 refused");
  expect(await rows()).toEqual(before);
}, 180_000);

/** The bytes of the player's poster on disk; null when the cover is used. */
async function posterOf(title: string) {
  const [row] = await db.execute<{ id: string }>(sql`SELECT id FROM media WHERE title = ${title}`);
  const { poster } = await findVideoContents(row?.id ?? "");
  if (poster === null) return null;
  const [file] = await db.execute<{ storage_key: string; needs: string }>(
    sql`SELECT storage_key, needs FROM media_files WHERE media_id = ${row?.id} AND name = ${basename(poster)}`,
  );
  expect(file?.needs).toBe("view");
  const { width, height } = await sharp(join(mediaDir, file?.storage_key ?? "")).metadata();
  return { width, height };
}

async function picture(path: string, hue: string) {
  await sharp({ create: { width: 640, height: 800, channels: 3, background: hue } })
    .jpeg()
    .toFile(path);
}

test("a folder of pictures becomes a set with its sidecar's data", async () => {
  const set = join(folder, "Slow Silk");
  await mkdir(set);
  for (const [index, hue] of ["#803050", "#305080", "#508030"].entries())
    await picture(join(set, `${index + 9}.jpg`), hue);
  const sidecar =
    "title: Silk\ncreators: [Vesper Quill]\ntags: [Soft Light]\ndate: 2026-05-31\naccess: member\n";
  await writeFile(join(set, "media.yaml"), sidecar);
  expect(await run("--creator", "Nobody")).toMatchObject({ code: 0 });
  expect(await rows()).toMatchObject([{ title: "Silk", type: "photoSet", photo_count: 3, access: "member" }]);
  const [credited] = await db.execute(sql`
    SELECT c.name, c.photo_set_count, t.slug, m.publish_at::date::text AS day FROM media m JOIN media_creators ON media_id = m.id
    JOIN creators c ON c.id = creator_id JOIN media_tags mt ON mt.media_id = m.id JOIN tags t ON t.id = mt.tag_id`);
  expect(credited).toEqual({
    name: "Vesper Quill",
    photo_set_count: 1,
    slug: "soft-light",
    day: "2026-05-31",
  });
  await expectDiskToMatch();
}, 60_000);

/** The head of a 64 by 64 pixel HEVC picture; no tool here can make a complete one. */
const HEIC = [
  "AAAAGGZ0eXBoZWljAAAAAG1pZjFoZWljAAAA1G1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBp",
  "dG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAAA9AAAABAAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAA",
  "AFhpcHJwAAAAO2lwY28AAAAfaHZjQwEBYAAAAJAAAAAAAF3wAPz9+PgAAA8AAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAVaXBtYQAA",
  "AAAAAAABAAECgQIAAAAYbWRhdAAAAAAAAAAAAAAAAAAAAAA=",
].join("");

test("CMYK, progressive and transparent pictures are stored as plain RGB, and HEIC is refused with advice", async () => {
  for (const name of ["cmyk", "progressive", "clear", "heic"]) await mkdir(join(folder, name));
  const red = sharp({ create: { width: 600, height: 800, channels: 3, background: "#c02030" } });
  const sources = {
    cmyk: await red.clone().toColourspace("cmyk").jpeg().toBuffer(),
    progressive: await red.clone().jpeg({ progressive: true }).toBuffer(),
    clear: await sharp({ create: { width: 600, height: 800, channels: 4, background: "#c0203000" } })
      .png()
      .toBuffer(),
    heic: Buffer.from(HEIC, "base64"),
  };
  expect(await sharp(sources.cmyk).metadata()).toMatchObject({ space: "cmyk", channels: 4 });
  expect(await sharp(sources.progressive).metadata()).toMatchObject({ isProgressive: true });
  expect(await sharp(sources.clear).metadata()).toMatchObject({ format: "png", hasAlpha: true });
  expect(await sharp(sources.heic).metadata()).toMatchObject({ format: "heif", compression: "hevc" });
  for (const [name, bytes] of Object.entries(sources)) await writeFile(join(folder, name, "1.jpg"), bytes);
  await rename(join(folder, "heic", "1.jpg"), join(folder, "heic", "1.HEIC"));

  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).toMatch(/refused +heic\/1\.HEIC: HEIC is not supported; save it as JPEG first/);
  expect(output).toContain("3 imported, 0 already there, 1 refused");
  expect((await rows()).map(({ title, width, height }) => [title, width, height])).toEqual([
    ["clear", 600, 800],
    ["cmyk", 600, 800],
    ["progressive", 600, 800],
  ]);
  const files = await db.execute<{ title: string; storage_key: string; width: number; height: number }>(sql`
    SELECT title, storage_key, f.width, f.height FROM media_files f JOIN media m ON m.id = f.media_id`);
  for (const { title, storage_key, width, height } of files) {
    const stored = sharp(join(mediaDir, storage_key));
    expect(await stored.metadata(), storage_key).toMatchObject({
      width,
      height,
      space: "srgb",
      channels: 3,
      hasAlpha: false,
    });
    const mean = (await stored.stats()).channels.map((channel) => Math.round(channel.mean));
    const [wanted, within] = title === "clear" ? [[255, 255, 255], 2] : [[192, 32, 48], 24];
    for (const [index, value] of mean.entries())
      expect(Math.abs(value - (wanted[index] ?? 0)), `${title} ${mean}`).toBeLessThanOrEqual(within);
  }
  const photos = files.filter(({ height, width }) => width * 800 === height * 600).map(({ width }) => width);
  expect(new Set(photos)).toEqual(new Set([480, 600]));
  await expectDiskToMatch();
}, 120_000);

test("a set with a future date is published then, and counts for its creator from then on", async () => {
  const set = join(folder, "silk");
  await mkdir(set);
  await picture(join(set, "1.jpg"), "#803050");
  await writeFile(join(set, "media.yaml"), "creators: [Vesper Quill]\ndate: 2999-05-31\n");
  expect(await run()).toMatchObject({ code: 0 });
  const state = async () => {
    const [row] = await db.execute(sql`SELECT m.status, c.photo_set_count AS sets FROM media m, creators c`);
    return row;
  };
  expect(await releaseDueMedia()).toBe(0);
  expect(await state()).toEqual({ status: "scheduled", sets: 0 });
  await db.execute(sql`UPDATE media SET publish_at = now() - interval '1 second'`);
  expect(await releaseDueMedia()).toBe(1);
  expect(await state()).toEqual({ status: "published", sets: 1 });
}, 60_000);

test("captions beside a video are converted", async () => {
  ffmpeg("talk.mp4", [...H264, "-c:a", "aac"]);
  await writeFile(join(folder, "talk.srt"), "1\r\n00:00:00,100 --> 00:00:00,900\r\nHello\r\n");
  await writeFile(
    join(folder, "talk.yaml"),
    "captions: [{ language: en, label: English, file: talk.srt }]\n",
  );
  expect(await run()).toMatchObject({ code: 0 });
  const [file] = await db.execute<{ storage_key: string }>(
    sql`SELECT * FROM media_files WHERE language = 'en'`,
  );
  const vtt = await readFile(join(mediaDir, file?.storage_key ?? ""), "utf8");
  expect(vtt).toContain("00:00.100 --> 00:00.900\nHello");
}, 60_000);

test("captions in older encodings are converted, and a broken captions file refuses its video by name", async () => {
  ffmpeg("talk.mp4", [...H264, "-c:a", "aac"]);
  const languages = ["fr", "de"].map(
    (language) => `{ language: ${language}, label: x, file: ${language}.srt }`,
  );
  await writeFile(join(folder, "talk.yaml"), `captions: [${languages.join(", ")}]\n`);
  const subRip = (text: string) => `1\r\n00:00:00,100 --> 00:00:00,900\r\n${text}\r\n`;
  await writeFile(join(folder, "fr.srt"), subRip("Ça a été"), "utf16le");
  await writeFile(join(folder, "de.srt"), "1\r\n00:00:99,100 --> 00:00:00,900\r\nGrüße\r\n", "latin1");
  const refused = await run();
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(/^refused +de\.srt: captions hold an unreadable time/m);
  expect([await rows(), await filesOnDisk()]).toEqual([[], []]);

  await writeFile(join(folder, "de.srt"), subRip("Grüße"), "latin1");
  expect(await run()).toMatchObject({ code: 0 });
  const stored = await db.execute<{ storage_key: string }>(
    sql`SELECT * FROM media_files WHERE language IS NOT NULL ORDER BY language DESC`,
  );
  const texts = stored.map(({ storage_key }) => readFile(join(mediaDir, storage_key), "utf8"));
  const [french, german] = await Promise.all(texts);
  expect(french).toContain("00:00.100 --> 00:00.900\nÇa a été");
  expect(german).toContain("00:00.100 --> 00:00.900\nGrüße");
}, 60_000);

test("an unusable file is named with its reason, and leaves nothing behind", async () => {
  const before = await filesOnDisk();
  await writeFile(join(folder, "empty.mp4"), "");
  await writeFile(join(folder, "words.mp4"), "only words");
  await writeFile(join(folder, "notes.docx"), "x");
  await truncate(ffmpeg("cut.mp4", [...H264, "-c:a", "aac"], { seconds: 3 }), 20_000);
  ffmpeg("cut early.mp4", [...H264, "-c:a", "aac", "-movflags", "+faststart"], { seconds: 5 });
  await truncate(join(folder, "cut early.mp4"), 60_000);
  // The file is sparse. Reading this much would take longer than the test may.
  await writeFile(join(folder, "enormous.mp4"), "");
  await truncate(join(folder, "enormous.mp4"), 300 * 1024 ** 3);
  await mkdir(join(folder, "enormous picture"));
  await writeFile(join(folder, "enormous picture", "1.jpg"), "");
  await truncate(join(folder, "enormous picture", "1.jpg"), 300 * 1024 ** 3);
  for (const [name, bytes] of [
    ["vector", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ["empty", Buffer.alloc(0)],
  ] as const) {
    await mkdir(join(folder, name));
    await picture(join(folder, name, "1.jpg"), "#333333");
    await writeFile(join(folder, name, name === "vector" ? "2.svg" : "2.jpg"), bytes);
  }
  await mkdir(join(folder, "unknown key"));
  await picture(join(folder, "unknown key", "1.jpg"), "#333333");
  await writeFile(join(folder, "unknown key", "media.yaml"), "tittle: x\n");

  const { code, output } = await run();
  expect(code).toBe(1);
  expect(output).toMatch(/refused +empty\.mp4: the file is empty/);
  expect(output).toMatch(/refused +words\.mp4: not a supported video/);
  expect(output).toMatch(/refused +notes\.docx: neither a video nor a picture/);
  expect(output).toMatch(/refused +cut\.mp4: .*damaged/);
  expect(output).toMatch(/refused +cut early\.mp4: .*damaged/);
  expect(output).toMatch(/refused +enormous\.mp4: larger than 64 GB/);
  expect(output).toMatch(/refused +enormous picture\/1\.jpg: larger than 300 MB/);
  expect(output).toMatch(/refused +vector\/2\.svg: not a supported picture/);
  expect(output).toMatch(/refused +empty\/2\.jpg: the file is empty/);
  expect(output).toMatch(/refused +unknown key\/media\.yaml: unknown key tittle/);
  expect(await rows()).toEqual([]);
  expect(await filesOnDisk()).toEqual(before);
}, 120_000);

test("a playlist disguised as a video opens no connection and no other file", async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const secret = ffmpeg("secret.mp4", [...H264]);
  execFileSync("ffmpeg", ["-v", "error", "-i", secret, "-c", "copy", join(dataDir, "secret.ts")]);
  await cp(secret, join(dataDir, "secret.mp4"));
  await rm(secret);
  const playlist = (uri: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${uri}\n#EXT-X-ENDLIST\n`;
  await writeFile(join(folder, "net.mp4"), playlist(`http://127.0.0.1:${port}/a.ts`));
  await writeFile(join(folder, "disk.ts"), playlist(join(dataDir, "secret.ts")));
  await writeFile(join(folder, "concat.mkv"), `ffconcat version 1.0\nfile ${join(dataDir, "secret.mp4")}\n`);
  // ffmpeg alone would follow this playlist and the one on disk.
  await cp(join(dataDir, "secret.mp4"), join(folder, "inner.bin"));
  await writeFile(join(folder, "nested.mp4"), "ffconcat version 1.0\nfile inner.bin\nduration 1\n");
  const { output } = await run();
  server.close();
  expect(output).toContain("0 imported, 0 already there, 5 refused");
  expect(calls).toBe(0);
}, 60_000);

test("a dry run writes nothing", async () => {
  const before = await filesOnDisk();
  ffmpeg("a.mp4", [...H264]);
  const { code, output } = await run("--dry-run");
  expect([code, output.includes("1 would be imported")]).toEqual([0, true]);
  expect(await rows()).toEqual([]);
  expect(await filesOnDisk()).toEqual(before);
}, 60_000);

test.each(["SIGKILL", "SIGINT"] as const)(
  "an import ended by %s is completed by the next",
  async (signal) => {
    ffmpeg("first.mp4", [...H264]);
    ffmpeg("second.mkv", ["-c:v", "mpeg4", "-q:v", "2"], { size: "1280x720", seconds: 60, sound: false });
    const { child, ended } = start();
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    while (!output.includes("imported") && child.exitCode === null) await sleep(50);
    // The second import is in progress.
    await expect.poll(() => readdir(join(mediaDir, ".incoming")), { interval: 20 }).not.toEqual([]);
    child.kill(signal);
    await ended;
    expect((await rows()).map(({ title }) => title)).toEqual(["first"]);
    if (signal === "SIGINT") await expectDiskToMatch();

    expect((await run()).output).toContain("1 imported, 1 already there, 0 refused");
    await expectDiskToMatch();
  },
  180_000,
);
