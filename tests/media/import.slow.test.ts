import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { expect, test } from "vitest";
import { deleteFilesOf } from "#app/domain/catalog/edit/files/delete-files.server.ts";
import { releaseDueMedia } from "#app/domain/catalog/edit/releases/release.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { hashFile } from "#app/domain/media/import/content-id.server.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { HOST } from "#tests/support/media.ts";
import { leaveOutPhoto } from "#tests/support/photo-order.ts";
import { H264, openImport, picture } from "../support/import-folder.ts";
import { turned } from "./support/seen-video.ts";

const { folder, ffmpeg, run, lines, rows, allFiles, expectStorageToMatch } = await openImport();

test("MP4, WebM, MOV and a turned video are imported, and a second run finds them", async () => {
  ffmpeg("plain one.mp4", [...H264, "-c:a", "aac"]);
  ffmpeg("Ünïcode 映画.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]);
  const location = ["-metadata", "location=+51.5+000.1/"];
  turned(
    ffmpeg("silent.mov", [...H264, ...location], { size: "320x180", audio: false }),
    join(folder, "turned.mp4"),
  );

  const first = await run();
  expect(first).toMatchObject({ code: 0 });
  expect(first.output).toContain("4 imported, 0 already there, 0 refused");
  expect(first.output).toContain(
    "4 videos are ready to watch in one size each. The worker makes the other sizes",
  );
  const found = new Map((await rows()).map((row) => [row.title, row]));
  expect(found.get("plain one")).toMatchObject({
    type: "video",
    access: "subscriber",
    width: 320,
    has_audio: true,
  });
  expect(found.get("silent")).toMatchObject({ has_audio: false });
  expect(found.get("turned")).toMatchObject({ width: 180, height: 320 });
  expect(found.has("Ünïcode 映画")).toBe(true);
  await expectStorageToMatch();
  expect(await posterOf("turned")).toEqual({ width: 180, height: 320 });
  expect(await posterOf("plain one")).toEqual({ width: 320, height: 240 });
  expect(await posterOf("silent")).toBeNull();
  for (const { storage_key } of await db.execute<{ storage_key: string }>(
    sql`SELECT storage_key FROM media_files WHERE content_type = 'video/mp4'`,
  )) {
    const bytes = (await mediaStorage.read(storage_key)) ?? Buffer.alloc(0);
    expect(bytes.includes("+51.5+000.1")).toBe(false);
    expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
  }

  const before = await rows();
  expect((await run()).output).toContain("0 imported, 4 already there, 0 refused");
  expect(await rows()).toEqual(before);
}, 600_000);

/** The size of the player's stored poster; null when the cover is used. */
async function posterOf(title: string) {
  const [file] = await db.execute<{ storage_key: string; needs: string }>(sql`
    SELECT f.storage_key, f.needs FROM media_files f JOIN media m ON m.id = f.media_id
    WHERE m.title = ${title} AND f.name = ${fileNames.poster()}`);
  if (file === undefined) return null;
  expect(file.needs).toBe("view");
  const { width, height } = await sharp((await mediaStorage.read(file.storage_key)) ?? undefined).metadata();
  return { width, height };
}

test("a folder of pictures becomes a set with its sidecar's data", async () => {
  const set = join(folder, "Slow Silk");
  await mkdir(set);
  for (const [index, hue] of ["#803050", "#305080", "#508030"].entries())
    await picture(join(set, `${index + 9}.jpg`), hue);
  const sidecar =
    "title: Silk\ncreators: [Vesper Quill]\ntags: [Soft Light]\ndate: 2026-05-31\naccess: member\n";
  await writeFile(join(set, "media.yaml"), sidecar);
  expect(await lines({ creator: "Nobody" })).toEqual(["imported Slow Silk"]);
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
  await expectStorageToMatch();
}, 60_000);

test("photos store their source and files their checksum, and a photo that was left out stays out", async () => {
  const set = join(folder, "Hashed");
  await mkdir(set);
  for (const [index, hue] of ["#102030", "#302010"].entries())
    await picture(join(set, `${index + 1}.jpg`), hue);
  expect(await lines()).toEqual(["imported Hashed"]);
  const photos = () =>
    db.execute<{ id: string; media: string; number: number; position: number | null; hash: string }>(sql`
      SELECT p.id, m.id AS media, number, position, source_hash AS hash FROM photos p JOIN media m ON m.id = media_id
      WHERE title = 'Hashed' ORDER BY number`);
  const [first, second] = await photos();
  const hashes = [await hashFile(join(set, "1.jpg")), await hashFile(join(set, "2.jpg"))];
  expect([first, second]).toMatchObject(
    hashes.map((hash, index) => ({ number: index + 1, position: index + 1, hash })),
  );
  const files = await db.execute<{ storage_key: string; crc32: string }>(
    sql`SELECT storage_key, crc32 FROM media_files WHERE media_id = ${first?.media}`,
  );
  for (const file of files) {
    expect(crc32((await mediaStorage.read(file.storage_key)) ?? "")).toBe(Number(file.crc32));
  }
  expect(await leaveOutPhoto(HOST, first?.media ?? "", first?.id ?? "")).toBeNull();
  expect(await lines()).toEqual(["present Hashed"]);
  expect(await photos()).toMatchObject([{ position: null }, { position: 1 }]);
  await expectStorageToMatch();
}, 60_000);

test("titles and creators of other scripts have readable addresses, and tags that sound the same stay apart", async () => {
  for (const [index, name] of ["a", "b"].entries()) {
    await mkdir(join(folder, name));
    await picture(join(folder, name, "1.jpg"), ["#803050", "#305080"][index] ?? "");
  }
  await writeFile(join(folder, "a", "media.yaml"), "title: 夜的光影\ncreators: [夜]\ntags: [夜]\n");
  await writeFile(join(folder, "b", "media.yaml"), "title: 밤의 빛\ncreators: [叶, 夜]\ntags: [叶, 夜]\n");
  expect(await lines()).toEqual(["imported a", "imported b"]);
  const [slugs] = await db.execute(sql`SELECT
    ARRAY(SELECT replace(slug, short_id, '') FROM media ORDER BY slug) AS media,
    ARRAY(SELECT regexp_replace(slug, '[0-9a-f]{8}', '') FROM creators ORDER BY slug) AS creators,
    ARRAY(SELECT slug FROM tags ORDER BY slug COLLATE "C") AS tags`);
  expect(slugs).toEqual({
    media: "{bamui-bich-,ye-de-guangying-}",
    creators: "{ye,ye-}",
    tags: "{叶,夜}",
  });
}, 60_000);

test("a set with a future date is published then, and counts for its creator from that moment", async () => {
  const set = join(folder, "silk");
  await mkdir(set);
  await picture(join(set, "1.jpg"), "#803050");
  await writeFile(join(set, "media.yaml"), "creators: [Vesper Quill]\ndate: 2999-05-31\n");
  expect(await lines()).toEqual(["imported silk"]);
  const state = async () => {
    const [row] = await db.execute(sql`SELECT m.status, c.photo_set_count AS sets FROM media m, creators c`);
    return row;
  };
  expect(await releaseDueMedia()).toEqual({ released: 0, failed: [] });
  expect(await state()).toEqual({ status: "scheduled", sets: 0 });
  await db.execute(sql`UPDATE media SET publish_at = now() - interval '1 second'`);
  expect(await releaseDueMedia()).toEqual({ released: 1, failed: [] });
  expect(await state()).toEqual({ status: "published", sets: 1 });
}, 60_000);

test("a dry run writes nothing", async () => {
  const before = await allFiles();
  ffmpeg("a.mp4", [...H264]);
  expect(await lines({ isDryRun: true })).toEqual(["wouldImport a.mp4"]);
  expect(await rows()).toEqual([]);
  expect(await allFiles()).toEqual(before);
}, 60_000);

test("content that was deleted stays out, and the line leads to its item", async () => {
  const set = join(folder, "unwanted");
  await mkdir(set);
  await picture(join(set, "1.jpg"), "#105030");
  expect(await lines()).toEqual(["imported unwanted"]);
  const [item] = await db.execute<{ id: string }>(sql`SELECT id FROM media WHERE title = 'unwanted'`);
  const id = item?.id ?? "";
  await changeState(HOST, id, "takeDown", { reason: "A complaint" });
  expect(await lines()).toEqual(["present unwanted", expect.stringContaining("it was taken down")]);
  await db.execute(sql`UPDATE media SET taken_down_at = now() - interval '31 days' WHERE id = ${id}`);
  await changeState(HOST, id, "delete");
  await deleteFilesOf(id);
  expect(await lines()).toEqual([
    expect.stringMatching(
      new RegExp(
        `^refused unwanted: it was deleted from this site and cannot be imported again: \\S+/studio/media/${id}$`,
      ),
    ),
  ]);
  expect(await allFiles()).not.toContainEqual(expect.stringContaining(id));
}, 60_000);
