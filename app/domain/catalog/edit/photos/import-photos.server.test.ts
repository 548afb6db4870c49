import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { expect, test } from "vitest";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { createOriginal, createPhotoSet, HOST } from "#tests/support/media.ts";
import { leaveOutPhoto } from "#tests/support/photo-order.ts";
import { checkFiles, type FileProblem } from "../../media/check-files.server.ts";
import { addPhoto, replacePhoto } from "./import-photos.server.ts";

const folder = mkdtempSync(join(tmpdir(), "peony-photos-"));
const BYSTANDER: Actor = { id: crypto.randomUUID(), name: "ann@example.com", role: "records" };

async function picture(color: string) {
  const fileName = `${color}.jpg`;
  const path = join(folder, fileName);
  await sharp({ create: { width: 600, height: 800, channels: 3, background: color } }).toFile(path);
  return { path, fileName };
}

const photosOf = (mediaId: string) =>
  db.execute<{ id: string; number: number; position: number | null; width: number }>(
    sql`SELECT id, number, position, width FROM photos WHERE media_id = ${mediaId} ORDER BY number`,
  );
const filesOf = (mediaId: string, number: number) =>
  db.execute(sql`SELECT name, version, needs FROM media_files WHERE media_id = ${mediaId} AND retired_at IS NULL
    AND name LIKE ${`photo-${number}-%`} ORDER BY name`);
const originalsOf = (mediaId: string) =>
  db.execute<{ key: string; fileName: string }>(sql`
    SELECT storage_key AS key, file_name AS "fileName" FROM media_originals WHERE media_id = ${mediaId} ORDER BY photo_number`);

async function unknownFiles(mediaId: string): Promise<string[]> {
  const problems: FileProblem[] = [];
  await checkFiles({ isReadingBytes: false, onProblem: (problem) => problems.push(problem) });
  const unknown = problems.filter(({ what }) => what === "unknown");
  return unknown.map(({ storageKey }) => storageKey).filter((key) => key.includes(mediaId));
}

test("two photos that are added at once get numbers of their own, with their originals, and duplicates are named", async () => {
  const { id } = await createPhotoSet({ photos: 2 });
  const [green, blue] = [await picture("green"), await picture("blue")];
  expect(await Promise.all([addPhoto(HOST, id, green), addPhoto(HOST, id, blue)])).toEqual([null, null]);
  expect((await photosOf(id)).map(({ number, position }) => [number, position])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
  for (const number of [3, 4]) {
    expect((await filesOf(id, number)).map(({ needs }) => needs)).toEqual([
      "view",
      "view",
      "view",
      "download",
      "view",
    ]);
  }
  const originals = await originalsOf(id);
  expect(originals.map(({ fileName }) => fileName).sort()).toEqual(["blue.jpg", "green.jpg"]);
  for (const { key } of originals) expect(await mediaStorage.head(key)).not.toBeNull();
  const log = await db.execute(sql`SELECT action FROM audit_log WHERE subject_id = ${id}`);
  expect(log.map(({ action }) => action)).toEqual(["media.photoAdded", "media.photoAdded"]);

  expect(await addPhoto(HOST, id, green)).toMatch(/^This photo is already in the set, as photo [34]\.$/);
  const [, , third] = await photosOf(id);
  await leaveOutPhoto(HOST, id, third?.id ?? "");
  const [own] = originals;
  expect(await addPhoto(HOST, id, own?.fileName === "green.jpg" ? green : blue)).toMatch(/Bring it back/);
});

test("a replaced photo keeps its number and position, and its former original goes a day later", async () => {
  const { id } = await createPhotoSet({ photos: 2 });
  const { storageKey } = await createOriginal(id, Buffer.from("former"), {
    photo: 1,
    fileName: "former.jpg",
  });
  const [first] = await photosOf(id);
  const wanted = { photo: first?.id ?? "", opened: 0 };
  const red = await picture("red");
  expect(await replacePhoto(HOST, id, wanted, red)).toBeNull();
  expect((await photosOf(id))[0]).toMatchObject({ number: 1, position: 1, width: 600 });
  expect((await filesOf(id, 1)).every(({ version }) => version === 1)).toBe(true);
  expect((await originalsOf(id)).map(({ fileName }) => fileName)).toEqual(["red.jpg"]);
  const jobs = await db.execute<{ keys: string[]; hours: number }>(sql`
    SELECT j.payload -> 'storageKeys' AS keys, round(extract(epoch FROM j.run_at - now()) / 3600)::int AS hours
    FROM graphile_worker._private_jobs j WHERE j.payload ->> 'mediaId' = ${id}`);
  expect(jobs).toEqual([{ keys: [storageKey], hours: 24 }]);
  // Nobody is told to delete it before.
  expect(await unknownFiles(id)).toEqual([]);
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'mediaId' = ${id}`);
  expect(await unknownFiles(id)).toEqual([storageKey]);
  // The cover was made of it, and no remake may change it.
  const [row] = await db.execute(sql`SELECT cover_source AS source FROM media WHERE id = ${id}`);
  expect(row?.source).toEqual({ kind: "picture" });
  expect(await replacePhoto(HOST, id, wanted, await picture("orange"))).toMatch(/Someone else/);
});

test("nobody without the right adds or replaces a photo, and nothing of a refused file stays", async () => {
  const { id } = await createPhotoSet({ photos: 1 });
  const [photo] = await photosOf(id);
  const gray = await picture("gray");
  expect(await addPhoto(BYSTANDER, id, gray)).toMatch(/role/);
  expect(await replacePhoto(BYSTANDER, id, { photo: photo?.id ?? "", opened: 0 }, gray)).toMatch(/role/);
  expect(await photosOf(id)).toHaveLength(1);
  expect(await mediaStorage.list(`originals/${id}`, { limit: 1 })).toEqual([]);
});
