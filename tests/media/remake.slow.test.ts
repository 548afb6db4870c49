import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { deleteRetiredFiles, dropRetiredFiles } from "#app/domain/catalog/edit/files/delete-files.server.ts";
import { saveTrailer, trailerVersion } from "#app/domain/catalog/edit/files/trailer.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { remakeMedia } from "#app/domain/catalog/originals/remake.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { HOST } from "#tests/support/media.ts";
import { leaveOutPhoto, reorderPhotos } from "#tests/support/photo-order.ts";
import { builtScript, runScript } from "#tests/support/process/built-script.ts";
import { H264, openImport } from "../support/import-folder.ts";
import { workOff } from "./support/encoded.ts";

const { folder, ffmpeg, lines, expectStorageToMatch } = await openImport();

interface FileRow extends Record<string, unknown> {
  name: string;
  version: number;
  key: string;
  sha256: string;
  needs: string;
  width: number;
}

const files = (title: string) =>
  db.execute<FileRow>(sql`
    SELECT f.name, version, storage_key AS key, sha256, needs, f.width FROM media_files f JOIN media m ON m.id = media_id
    WHERE m.title = ${title} AND retired_at IS NULL ORDER BY f.name`);
const item = async (title: string) => {
  const [row] = await db.execute<{ id: string; shortId: string; next: number }>(
    sql`SELECT id, short_id AS "shortId", file_version::int + 1 AS next FROM media WHERE title = ${title}`,
  );
  if (!row) throw new Error(`no ${title}`);
  return row;
};
const remake = (...args: string[]) => runScript("remake-media", args);
const forget = async () => {
  await db.execute(sql`DELETE FROM media_originals`);
  await mediaStorage.deleteFolder("originals");
};
/** Deletes replaced files and those of earlier runs, as the worker does a day later. Returns of how many items. */
async function deleteReplaced(): Promise<number> {
  await db.execute(sql`UPDATE media_files SET retired_at = retired_at - interval '24 hours'`);
  await dropRetiredFiles();
  const queued = await db.execute<{ payload: { mediaId: string; storageKeys: string[] } }>(sql`
    DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
    WHERE t.id = j.task_id AND t.identifier = 'delete-retired-files' RETURNING payload`);
  for (const { payload } of queued) await deleteRetiredFiles(payload);
  return new Set(queued.map(({ payload }) => payload.mediaId)).size;
}
/** As the worker leaves them. */
async function importWhole(): Promise<void> {
  await lines();
  await workOff();
  await deleteReplaced();
}
const hashes = (rows: FileRow[]) => rows.map(({ name, sha256 }) => [name, sha256]);
/** Puts another file in the place of what an item has, as an older or worse version of the site could have made it. */
async function spoil(title: string, name: string, bytes: Buffer): Promise<void> {
  const [row] = (await files(title)).filter((file) => file.name === name);
  await mediaStorage.put(row?.key ?? "", bytes);
  await db.execute(sql`UPDATE media_files SET bytes = ${bytes.byteLength},
    sha256 = ${createHash("sha256").update(bytes).digest("hex")} WHERE storage_key = ${row?.key ?? ""}`);
}

async function damage(key: string | undefined): Promise<void> {
  await mediaStorage.put(key ?? "", Buffer.from("damaged"));
}

async function importSet(name: string, { width = 700, photos = 2, isNoisy = false } = {}): Promise<void> {
  await mkdir(join(folder, name));
  const noise = { type: "gaussian", mean: 120, sigma: 30 } as const;
  for (let at = 1; at <= photos; at += 1) {
    const background = ["#803050", "#305080", "#508030"][at % 3] ?? "";
    const pixels = { width, height: 500, channels: 3 as const, background };
    // Noise takes long, which gives a test the time to end it.
    await sharp({ create: isNoisy ? { ...pixels, noise } : pixels })
      .jpeg()
      .toFile(join(folder, name, `${at}.jpg`));
  }
}

test("files are made again from the original with the same bytes, and a second run changes nothing", async () => {
  ffmpeg("film.mkv", ["-c:v", "mpeg4", "-q:v", "2", "-c:a", "mp3"], { size: "160x120", seconds: 3 });
  await importSet("set");
  await lines();
  const { id, shortId } = await item("film");
  expect(await saveTrailer(HOST, id, { from: 0, to: 2 }, trailerVersion(null))).toMatchObject({
    saved: true,
  });
  await workOff();
  const { signal } = new AbortController();
  const [video, set] = [await files("film"), await files("set")];
  await spoil("film", "video-120.mp4", Buffer.from("an old file"));
  await spoil("set", "photo-2-480.webp", Buffer.from("an old file"));
  await db.execute(sql`UPDATE photos SET is_preview = true WHERE position = 2`);
  await db.execute(sql`UPDATE media_files SET needs = 'preview' WHERE name LIKE 'photo-2-%'`);
  const [lost] = await db.execute<{ key: string }>(
    sql`DELETE FROM media_files WHERE name = 'photo-2-480.avif' RETURNING storage_key AS key`,
  );
  await mediaStorage.delete(lost?.key ?? "");

  const dry = await remake("--all", "--dry-run", "--json");
  expect(JSON.parse(dry.stdout)).toHaveLength(2);
  expect((await files("film")).map(({ key }) => key)).toEqual(video.map(({ key }) => key));
  expect(await workOff()).toEqual([]);

  const said = (word: string, note = "") => ({
    code: 0,
    stdout: `${word} ${shortId}  film${note}\n`,
    stderr: "",
  });
  const later = " (its cover was skipped: run --only cover when the worker is done)";
  await damage(video.find(({ name }) => name === "video-120.mp4")?.key);
  expect(await remake(shortId)).toEqual(said("queued    ", later));
  const already = " (it is already in the worker's queue)";
  expect(await remake(shortId, "--only", "video,trailer")).toEqual(said("the same  ", already));
  await db.execute(sql`DELETE FROM media_work WHERE step = 'trailer'`);
  const both = { only: ["video", "trailer"], isDryRun: false, signal } as const;
  expect(await remakeMedia(id, both)).toMatchObject({ queued: "queued" });
  const steps = await workOff();
  expect([steps.at(0), steps.at(-1)]).toEqual(["source done", "trailer done"]);
  expect((await remake("--all", "--only", "photos,cover")).code).toBe(0);
  expect(hashes(await files("film"))).toEqual(hashes(video));
  expect(hashes(await files("set"))).toEqual(hashes(set));
  // All sizes of the photo have a new address; what came out the same has none, and no copy of it stays.
  const remadeSet = await files("set");
  const versionsOf = (stem: string) =>
    new Set(remadeSet.filter(({ name }) => name.startsWith(`${stem}-`)).map(({ version }) => version));
  expect([versionsOf("photo-1"), versionsOf("cover")]).toEqual([new Set([0]), new Set([0])]);
  expect([versionsOf("photo-2").size, versionsOf("photo-2").has(0)]).toEqual([1, false]);
  await expectStorageToMatch();
  const entries = await db.execute(sql`SELECT action, subject_name, after FROM audit_log
    WHERE actor = 'media:remake' ORDER BY subject_name, action, id`);
  expect(entries).toEqual([
    { action: "encoding.queued", subject_name: "film", after: { part: "video" } },
    { action: "encoding.queued", subject_name: "film", after: { part: "trailer" } },
    { action: "media.remade", subject_name: "set", after: null },
  ]);
  const ofSecond = (await files("set")).filter(({ name }) => name.startsWith("photo-2-"));
  expect(new Set(ofSecond.map(({ needs }) => needs))).toEqual(new Set(["download", "preview"]));

  // The replaced files answer for a day more.
  const replaced = video.find(({ name }) => name === "video-120.mp4")?.key ?? "";
  expect(await mediaStorage.head(replaced)).not.toBeNull();
  expect(await deleteReplaced()).toBe(2);
  await expectStorageToMatch();

  const again = await remake("--all", "--only", "photos,cover", "--json");
  expect(JSON.parse(again.stdout).map((one: { changedFiles: number }) => one.changedFiles)).toEqual([0, 0]);
  expect(await deleteReplaced()).toBe(0);
  await expectStorageToMatch();

  for (const name of ["trailer.mp4", "trailer-hover.mp4"]) {
    const [row] = (await files("film")).filter((file) => file.name === name);
    await mediaStorage.delete(row?.key ?? "");
  }
  expect(await remake(shortId, "--only", "trailer")).toEqual(said("queued    "));
  expect(await workOff()).toEqual(["trailer done"]);
  await deleteReplaced();
  expect(hashes(await files("film"))).toEqual(hashes(video));
  await expectStorageToMatch();

  await changeState(HOST, id, "takeDown", { reason: "A complaint" });
  expect(await remake(shortId, "--only", "video")).toMatchObject({
    code: 1,
    stderr: `unchanged  ${shortId}  film: it is taken down: bring it back first.\n`,
  });
}, 240_000);

test("photos that were moved or left out are made again under their number and right, and the cover stays", async () => {
  await importSet("set", { photos: 3, width: 600 });
  await lines();
  const { id, shortId } = await item("set");
  const before = await files("set");
  const [first = "", second = "", third = ""] = (
    await db.execute<{ id: string }>(sql`SELECT id FROM photos ORDER BY number`)
  ).map((photo) => photo.id);
  expect(await reorderPhotos(HOST, id, [third, first, second])).toBeNull();
  expect(await leaveOutPhoto(HOST, id, first)).toBeNull();
  for (const number of [1, 3]) await spoil("set", `photo-${number}-480.webp`, Buffer.from("an old file"));
  await spoil("set", "cover-480.webp", Buffer.from("an old file"));

  expect(await remake(shortId)).toMatchObject({ code: 0, stdout: `remade     ${shortId}  set\n` });
  const after = await files("set");
  expect(hashes(after)).toEqual(hashes(before));
  const needs = (number: number) =>
    new Set(after.filter(({ name }) => name.startsWith(`photo-${number}-`)).map((file) => file.needs));
  expect([needs(1), needs(2), needs(3)]).toEqual([
    new Set(["edit"]),
    new Set(["download", "view"]),
    new Set(["download", "view"]),
  ]);
  await deleteReplaced();
  await expectStorageToMatch();
}, 120_000);

test("without an original the MP4s stay, other files are made from the largest one, and the command says so", async () => {
  ffmpeg("film.mp4", [...H264, "-c:a", "aac"], { size: "160x120", seconds: 1 });
  await importSet("set");
  await importWhole();
  await forget();
  const [video, set] = [await files("film"), await files("set")];
  for (const [title, name] of [
    ["film", "rung-120.mp4"],
    ["set", "photo-1-480.webp"],
    ["set", "cover-480.webp"],
  ] as const)
    await spoil(title, name, Buffer.from("an old file"));
  const run = await remake("--all");
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(
    /^queued {5}\w{8} {2}film \(no original of it is kept: made from the largest stored file; its cover was skipped: run --only cover when .+\)$/m,
  );
  expect(run.stdout).toMatch(
    /^remade {5}\w{8} {2}set \(no original of 2 of its photos is kept: made from the largest/m,
  );
  await workOff();
  const same = (before: FileRow[], after: FileRow[], name: string) =>
    before.find((row) => row.name === name)?.key === after.find((row) => row.name === name)?.key;
  const [newVideo, newSet] = [await files("film"), await files("set")];
  expect(newVideo.map(({ name }) => name)).toEqual(video.map(({ name }) => name));
  expect(newSet.map(({ name }) => name)).toEqual(set.map(({ name }) => name));
  expect([same(video, newVideo, "video-120.mp4"), same(video, newVideo, "rung-120.mp4")]).toEqual([
    true,
    false,
  ]);
  // Pages read one version for all sizes of a picture, so its largest files are stored again.
  const ofFirst = newSet.filter(({ name }) => name.startsWith("photo-1-"));
  expect(new Set(ofFirst.map(({ version }) => version)).size).toBe(1);
  expect(same(set, newSet, "photo-1-700.webp")).toBe(false);
  const largest = (rows: FileRow[]) => hashes(rows.filter(({ name }) => name.startsWith("photo-1-700.")));
  expect(largest(newSet)).toEqual(largest(set));
  const photo = newSet.find(({ name }) => name === "photo-1-480.webp")?.key ?? "";
  expect((await sharp((await mediaStorage.read(photo)) ?? undefined).metadata()).width).toBe(480);
  const [size] = await db.execute(sql`SELECT width, height FROM photos WHERE position = 1`);
  expect(size).toEqual({ width: 700, height: 500 });
  await deleteReplaced();
  await expectStorageToMatch();

  // As the ladder of a larger source whose original is gone.
  const { id, shortId } = await item("film");
  await db.execute(sql`UPDATE media_files SET width = 2560, height = 1440
    WHERE media_id = ${id} AND name LIKE 'rung-%' AND retired_at IS NULL`);
  const because = "no original is kept, and it has sizes or audio tracks that its MP4s lack";
  expect(await remake("--all", "--only", "video")).toEqual({
    ...{ code: 0, stderr: "" },
    stdout: expect.stringContaining(`nothing    ${shortId}  film (its video was skipped: ${because})\n`),
  });
  expect(await remake(shortId, "--only", "video")).toMatchObject({
    ...{ code: 1, stderr: `unchanged  ${shortId}  film: ${because}.\n` },
  });
}, 240_000);

test("a lost or damaged original changes nothing and stops no other item, and neither does an unknown one", async () => {
  await importSet("lost", { photos: 1 });
  await importSet("whole", { photos: 1, width: 600 });
  ffmpeg("film.mp4", H264, { size: "160x120", seconds: 1, audio: false });
  await lines();
  const { shortId } = await item("lost");
  const [original] = await db.execute<{ key: string }>(
    sql`SELECT storage_key AS key FROM media_originals WHERE media_id = ${(await item("lost")).id}`,
  );
  await damage(original?.key);
  const before = await files("lost");
  const run = await remake(shortId, "nothing-here", (await item("whole")).id);
  expect(run.code).toBe(1);
  expect(run.stderr).toBe(
    `unchanged  ${shortId}  lost: ${original?.key} is damaged: restore it from a backup, then try again.\n` +
      "unchanged  nothing-here: There is no such item.\n",
  );
  expect(run.stdout).toMatch(/^the same {3}\w{8} {2}whole\n$/);
  expect(await files("lost")).toEqual(before);

  const { id } = await item("film");
  const [ofVideo] = await db.execute<{ key: string }>(
    sql`SELECT storage_key AS key FROM media_originals WHERE media_id = ${id}`,
  );
  await damage(ofVideo?.key);
  const stored = await files("film");
  expect((await workOff()).filter((outcome) => outcome.startsWith("source"))).toEqual([
    ...["source failed", "source failed", "source failedForGood"],
  ]);
  expect(await files("film")).toEqual(stored);
  await mediaStorage.delete(ofVideo?.key ?? "");
  const work = () => db.execute(sql`SELECT step, state FROM media_work WHERE media_id = ${id} ORDER BY step`);
  const failed = await work();
  const only = ["video"] as const;
  const again = remakeMedia(id, { only, isDryRun: false, signal: new AbortController().signal });
  await expect(again).rejects.toThrow(`${ofVideo?.key} is missing`);
  expect(await work()).toEqual(failed);
}, 120_000);

test.each(["SIGKILL", "SIGINT"] as const)(
  "a run that %s ends leaves the item whole, and the next one finishes it",
  async (signal) => {
    await importSet("set", { width: 1400, isNoisy: true });
    await lines();
    const before = await files("set");
    const spoiled = "photo-1-480.webp";
    await spoil("set", spoiled, Buffer.from("an old file"));
    const kept = (await files("set")).map(({ key, sha256 }) => [key, sha256]);
    const reader = await mediaStorage.open(before.find(({ name }) => name === spoiled)?.key ?? "");
    const child = spawn(process.execPath, [await builtScript("remake-media"), "--all"], {
      env: { ...process.env, DATA_DIR: config.dataDir },
      stdio: "ignore",
    });
    const ended = once(child, "close");
    // The first file is stored, and the second is being made.
    const { id, next } = await item("set");
    const claimed = `media/${id}/${next}`;
    const stored = async () => (await mediaStorage.list(claimed)).length;
    while ((await stored()) === 0 && child.exitCode === null) await sleep(10);
    child.kill(signal);
    const [code] = await ended;
    if (signal === "SIGINT") expect(code).toBe(130);
    expect((await files("set")).map(({ key, sha256 }) => [key, sha256])).toEqual(kept);

    expect((await remake("--all")).code).toBe(0);
    expect(hashes(await files("set"))).toEqual(hashes(before));
    // Only a killed run leaves something, which media:check calls unknown.
    expect((await stored()) > 0).toBe(signal === "SIGKILL");
    await mediaStorage.deleteFolder(claimed);
    // A reader of the replaced file goes on to its end.
    await deleteReplaced();
    expect(await text(reader)).toBe("an old file");
    await expectStorageToMatch();
  },
  240_000,
);
