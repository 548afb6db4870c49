import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { accessTo } from "#app/domain/access/access.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { leaveOutPhoto } from "#tests/support/photo-order.ts";
import { findMediaFile } from "../../media/served-file.server.ts";
import { replacePhoto } from "../photos/import-photos.server.ts";
import { findCoverChoices } from "./cover-choice.server.ts";
import { type MadeCover, makeCover, takeCover } from "./covers.server.ts";

const folder = mkdtempSync(join(tmpdir(), "peony-covers-"));
const BYSTANDER: Actor = { id: crypto.randomUUID(), name: "ann@example.com", role: "records" };

const SUBSCRIBER = {
  isAdult: true,
  user: { role: "member" as const },
  subscription: { state: "renewing" as const },
};

/** Two seconds of red, then two of blue, in a shape that needs a poster of its own. */
async function twoColors() {
  const video = await createVideo({ withFiles: true, durationSeconds: 4 });
  const path = join(folder, `${video.id}.mp4`);
  const color = (name: string) => ["-f", "lavfi", "-i", `color=${name}:s=320x320:d=2:r=10`];
  execFileSync(config.media.ffmpeg, [
    ...["-v", "error", ...color("red"), ...color("blue"), "-filter_complex", "[0][1]concat=n=2:v=1"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path],
  ]);
  await mediaStorage.put(`media/${video.id}/video-360.mp4`, { path });
  return video;
}

const picture = async (color: string, name = color) => {
  const path = join(folder, `${name}.png`);
  await sharp({ create: { width: 640, height: 640, channels: 3, background: color } }).toFile(path);
  return path;
};

async function made(mediaId: string, choice: Parameters<typeof makeCover>[2]): Promise<MadeCover> {
  const cover = await makeCover(HOST, mediaId, choice);
  if (typeof cover === "string") throw new Error(cover);
  return cover;
}

async function rowOf(mediaId: string) {
  const [row] = await db.execute(sql`SELECT color, cover_source AS source FROM media WHERE id = ${mediaId}`);
  return row;
}

const covers = (mediaId: string) =>
  db.execute<{ name: string; version: number; needs: string }>(sql`
    SELECT name, version, needs FROM media_files WHERE media_id = ${mediaId} AND retired_at IS NULL
      AND (name LIKE 'cover-%' OR name LIKE 'blur-%' OR name = 'poster.webp') ORDER BY name`);

test("a cover is cut from a moment, shown only to staff, and then used with its blur, poster and color", async () => {
  const { id } = await twoColors();
  const cover = await made(id, { kind: "moment", seconds: 3 });
  const [shown] = [await findMediaFile(id, "cover-480.webp", cover.version)];
  if (!shown) throw new Error("no file");
  expect(shown.needs).toBe("edit");
  expect(accessTo(SUBSCRIBER, shown.media, shown.needs).allowed).toBe(false);
  expect((await covers(id)).every(({ version }) => version === 0)).toBe(true);

  expect(await takeCover(HOST, id, cover, 0)).toEqual({ used: true });
  expect((await covers(id)).map(({ name, version, needs }) => `${name} ${version} ${needs}`)).toEqual([
    "blur-480.webp 1 see",
    "cover-480.avif 1 see",
    "cover-480.webp 1 see",
    "cover-960.avif 1 see",
    "cover-960.webp 1 see",
    "poster.webp 1 view",
  ]);
  const row = await rowOf(id);
  expect(row?.source).toEqual({ kind: "moment", seconds: 3 });
  expect(row?.color).toMatch(/^#0.0.f/);
  // A form that is sent twice changes nothing more.
  expect(await takeCover(HOST, id, cover, 0)).toEqual({ used: true });
  const log = await db.execute(sql`SELECT action FROM audit_log WHERE subject_id = ${id}`);
  expect(log).toEqual([{ action: "media.coverChanged" }]);

  expect(await makeCover(HOST, id, { kind: "moment", seconds: 4 })).toBe(
    "The video ends at 0:04. Please choose an earlier moment.",
  );
});

test("no cover is cut from a moment while larger sizes of the video are being made", async () => {
  const { id } = await twoColors();
  const work = (step: string, state: string) =>
    db.execute(sql`INSERT INTO media_work (media_id, step, position, state) VALUES (${id}, ${step}, 0, ${state}::media_work_state)
      ON CONFLICT (media_id, step) DO UPDATE SET state = EXCLUDED.state`);
  const cut = () => makeCover(HOST, id, { kind: "moment", seconds: 3 });
  await db.execute(sql`INSERT INTO media_encodings (media_id) VALUES (${id})`);
  await work("candidate", "waiting");
  await work("video-360", "waiting");
  expect(await cut()).toMatchObject({ source: { kind: "moment", seconds: 3 } });
  for (const state of ["waiting", "running", "done"]) {
    await work("video-720", state);
    expect([state, await cut()]).toEqual([
      state,
      expect.stringMatching(/still being encoded in larger sizes/),
    ]);
  }
  await work("video-720", "failed");
  expect(await cut()).toMatchObject({ source: { kind: "moment" } });
  // Another copy of the site may make them where this one makes none.
  const { encodingJobs } = config.media;
  onTestFinished(() => void Object.assign(config.media, { encodingJobs }));
  config.media.encodingJobs = 0;
  await work("video-720", "waiting");
  expect(await cut()).toMatchObject({ source: { kind: "moment" } });
  await work("rung-720", "running");
  expect(await cut()).toMatch(/still being encoded in larger sizes/);
  await work("video-720", "running");
  await db.execute(
    sql`UPDATE media_files SET width = 960, height = 540 WHERE media_id = ${id} AND name = 'video-360.mp4'`,
  );
  expect(await cut()).toMatchObject({ source: { kind: "moment" } });
});

test("a candidate of a video becomes its cover, and no other file does", async () => {
  const { id } = await createVideo({ withFiles: true });
  const name = fileNames.candidate(2);
  const storageKey = `media/${id}/${name}`;
  const stored = await mediaStorage.put(storageKey, { path: await picture("#00ffff", "cyan") });
  const facts = { contentType: "image/webp", needs: "edit" as const, width: 640, height: 640 };
  await db.insert(mediaFiles).values({ mediaId: id, name, storageKey, ...facts, ...stored });
  expect((await findCoverChoices(id, 1))?.candidates).toEqual([{ name, url: paths.mediaFile(id, name) }]);
  const cover = await made(id, { kind: "candidate", name });
  expect(await takeCover(HOST, id, cover, 0)).toEqual({ used: true });
  expect(await rowOf(id)).toEqual({ color: "#00ffff", source: { kind: "picture" } });
  expect(await makeCover(HOST, id, { kind: "candidate", name: fileNames.candidate(3) })).toMatch(/missing/);
  for (const other of ["video-360.mp4", "blur-480.webp", `../${id}/${name}`]) {
    expect(await makeCover(HOST, id, { kind: "candidate", name: other })).toBe("There is no such picture.");
  }
});

test("the second of two editors sees the other's cover, and overwrites it only knowingly", async () => {
  const { id } = await createVideo({ withFiles: true });
  const first = await made(id, { kind: "upload", path: await picture("#00ff00", "green") });
  const second = await made(id, { kind: "upload", path: await picture("#ffff00", "yellow") });
  expect(await takeCover(HOST, id, first, 0)).toEqual({ used: true });
  expect(await takeCover(HOST, id, second, 0)).toEqual({ used: false, present: first.version });
  expect(await takeCover(HOST, id, second, first.version)).toEqual({ used: true });
  // The first one is among the replaced files now, and is no cover to choose.
  const again = await takeCover(HOST, id, first, second.version);
  expect(again).toMatchObject({ used: false, problem: expect.stringContaining("preview the cover again") });
});

test("a set's cover is one of the photos in it, and stays when that photo is left out later", async () => {
  const set = await createPhotoSet({ withFiles: true });
  const photos = await db.execute<{ id: string }>(
    sql`SELECT id FROM photos WHERE media_id = ${set.id} ORDER BY number`,
  );
  const [, second = { id: "" }, third = { id: "" }] = photos;
  for (const format of ["avif", "webp"]) {
    await mediaStorage.put(`media/${set.id}/photo-2-480.${format}`, {
      path: await picture("#0000ff", "blue"),
    });
  }
  await leaveOutPhoto(HOST, set.id, third.id);
  expect(await makeCover(HOST, set.id, { kind: "photo", photo: third.id })).toContain("no longer in the set");
  const cover = await made(set.id, { kind: "photo", photo: second.id });
  expect(await takeCover(HOST, set.id, cover, 0)).toEqual({ used: true });
  expect(await rowOf(set.id)).toEqual({ color: "#0000ff", source: { kind: "photo", number: 2 } });
  await leaveOutPhoto(HOST, set.id, second.id);
  expect((await covers(set.id)).every(({ version, needs }) => version === 1 && needs === "see")).toBe(true);
});

test("a cover made from a photo cannot be used once the photo has been replaced", async () => {
  const set = await createPhotoSet({ withFiles: true });
  const [photo = { id: "" }] = await db.execute<{ id: string }>(
    sql`SELECT id FROM photos WHERE media_id = ${set.id} ORDER BY number`,
  );
  const path = await picture("#00ff00", "stored");
  for (const format of ["avif", "webp"])
    await mediaStorage.put(`media/${set.id}/photo-1-480.${format}`, { path });
  const cover = await made(set.id, { kind: "photo", photo: photo.id });
  const file = { path: await picture("#ff0000", "other"), fileName: "other.png" };
  expect(await replacePhoto(HOST, set.id, { photo: photo.id, opened: 0 }, file)).toBeNull();
  expect(await takeCover(HOST, set.id, cover, 0)).toMatchObject({
    used: false,
    problem: expect.stringContaining("replaced"),
  });
  const again = await made(set.id, { kind: "photo", photo: photo.id });
  expect(await takeCover(HOST, set.id, again, 0)).toEqual({ used: true });
  expect(await rowOf(set.id)).toEqual({ color: "#ff0000", source: { kind: "photo", number: 1 } });
});

test("nobody without the right makes or uses a cover", async () => {
  const { id } = await createVideo({ withFiles: true });
  const cover = await made(id, { kind: "upload", path: await picture("#00ffff", "cyan") });
  expect(await makeCover(BYSTANDER, id, { kind: "upload", path: "" })).toMatch(/role/);
  expect(await takeCover(BYSTANDER, id, cover, 0)).toMatchObject({
    used: false,
    problem: expect.any(String),
  });
  expect((await covers(id)).every(({ version }) => version === 0)).toBe(true);
});
