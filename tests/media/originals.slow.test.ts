import { appendFileSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterEach, expect, test, vi } from "vitest";
import { deleteFilesOf } from "#app/domain/catalog/edit/files/delete-files.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { DISK_RESERVE_BYTES } from "#app/domain/media/storage/disk-full.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import type { OriginalProbe } from "#db/schema/catalog-files.ts";
import { sayFreeBytes } from "#tests/support/disks.ts";
import { HOST } from "#tests/support/media.ts";
import { H264, openImport, picture } from "../support/import-folder.ts";
import { turned } from "./support/seen-video.ts";

const { folder, workDir, ffmpeg, run, lines, allFiles, expectStorageToMatch } = await openImport();

interface Original extends Record<string, unknown> {
  title: string;
  mediaId: string;
  number: number | null;
  key: string;
  sha256: string;
  bytes: number;
  fileName: string;
  probe: OriginalProbe;
}

const originals = () =>
  db.execute<Original>(sql`
    SELECT m.title, media_id AS "mediaId", photo_number::int AS number, storage_key AS key, sha256, bytes::int AS bytes,
      file_name AS "fileName", probe
    FROM media_originals JOIN media m ON m.id = media_id ORDER BY m.title, photo_number`);
const stored = async ({ key }: Original) => (await mediaStorage.read(key)) ?? Buffer.alloc(0);

afterEach(() => {
  process.env.KEEP_ORIGINALS = "on";
});

test("originals are kept byte for byte, with the inspection's findings and no path or title", async () => {
  const upright = ffmpeg(
    "base.mov",
    [...H264, "-c:a", "aac", "-metadata", "title=Secret", "-metadata", "location=+51.5+000.1/"],
    { size: "640x360" },
  );
  turned(upright, join(folder, "turned.mp4"));
  const set = join(folder, "Set");
  await mkdir(set);
  await sharp({ create: { width: 300, height: 200, channels: 3, background: "#803050" } })
    .withExif({ IFD0: { Copyright: "Somebody" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toFile(join(set, "b.jpg"));
  await picture(join(set, "a.jpg"), "#305080");
  await writeFile(join(set, "media.yaml"), "title: Two\n");
  expect(await run()).toMatchObject({ code: 0 });

  const found = await originals();
  expect(found.map(({ title, number, fileName }) => [title, number, fileName])).toEqual([
    ["Two", 1, "a.jpg"],
    ["Two", 2, "b.jpg"],
    ["base", null, "base.mov"],
    ["turned", null, "turned.mp4"],
  ]);
  for (const original of found) {
    const source = join(original.title === "Two" ? set : folder, original.fileName);
    expect((await stored(original)).equals(await readFile(source)), original.fileName).toBe(true);
    expect(original.key.startsWith(`originals/${original.mediaId}/`)).toBe(true);
  }
  const [, second, base, turnedOne] = found.map(({ probe }) => probe);
  expect(second).toEqual({ kind: "photo", format: "jpeg", width: 200, height: 300 });
  expect(base).toEqual({
    ...{ kind: "video", container: expect.stringContaining("mov"), codec: "h264", pixelFormat: "yuv420p" },
    ...{ width: 640, height: 360, rotation: 0, seconds: expect.closeTo(1, 0), sound: "aac" },
  });
  expect(turnedOne).toMatchObject({ width: 360, height: 640 });
  expect(Math.abs((turnedOne as { rotation: number }).rotation)).toBe(90);
  expect(JSON.stringify(found.map(({ probe }) => probe))).not.toMatch(/Secret|51\.5|Somebody|base|Set/);
  // No row that /media serves names one of them.
  const [served] = await db.execute(sql`SELECT count(*)::int AS count FROM media_files
    WHERE storage_key LIKE 'originals/%' OR sha256 IN (SELECT sha256 FROM media_originals)`);
  expect(served).toEqual({ count: 0 });
  await expectStorageToMatch();

  expect((await run()).output).toContain("3 already there");
  expect(await originals()).toEqual(found);
}, 120_000);

test("an import with KEEP_ORIGINALS=off keeps none, and deletes none", async () => {
  await mkdir(join(folder, "first"));
  await picture(join(folder, "first", "1.jpg"), "#803050");
  expect(await run()).toMatchObject({ code: 0 });
  expect(await originals()).toHaveLength(1);
  await mkdir(join(folder, "second"));
  await picture(join(folder, "second", "1.jpg"), "#305080");
  process.env.KEEP_ORIGINALS = "off";
  expect((await run()).output).toContain("1 imported, 1 already there");
  expect((await originals()).map(({ title }) => title)).toEqual(["first"]);
  await expectStorageToMatch();
}, 60_000);

test("a file that changes while it is imported is refused, and leaves nothing behind", async () => {
  ffmpeg("a.mp4", [...H264]);
  const { put } = mediaStorage;
  vi.spyOn(mediaStorage, "put").mockImplementation(async (key, source) => {
    if (key.startsWith("originals/")) appendFileSync(join(folder, "a.mp4"), "more");
    return put(key, source);
  });
  expect(await lines()).toEqual(["refused a.mp4: it changed during the import; try again"]);
  expect(await allFiles()).toEqual([]);
  vi.restoreAllMocks();
  expect(await lines()).toEqual(["imported a.mp4"]);
  await expectStorageToMatch();
}, 60_000);

test.each(["draft", "takenDown"] as const)(
  "an item that is deleted as a %s loses its originals, rows and files",
  async (from) => {
    await mkdir(join(folder, "gone"));
    await picture(join(folder, "gone", "1.jpg"), "#105030");
    await lines({ isPublishing: from !== "draft" });
    const [original] = await originals();
    if (!original) throw new Error("no original");
    const { mediaId } = original;
    if (from === "takenDown") {
      await changeState(HOST, mediaId, "takeDown", { reason: "A complaint" });
      await db.execute(sql`UPDATE media SET taken_down_at = now() - interval '31 days'`);
    }
    expect(await changeState(HOST, mediaId, "delete")).toMatchObject({ done: true });
    expect(await originals()).toEqual([]);
    await deleteFilesOf(mediaId);
    expect(await mediaStorage.list(`originals/${mediaId}`)).toEqual([]);
    await expectStorageToMatch();
  },
  60_000,
);

test("an item that would fill the disk reserve is refused before anything is written, and counted in a dry run", async () => {
  await mkdir(workDir, { recursive: true });
  sayFreeBytes(DISK_RESERVE_BYTES + 4 * 1024 ** 2);
  await expectRefusals();
}, 60_000);

/** With 2 MB for originals and as many for what is made of them. */
async function expectRefusals(): Promise<void> {
  const noise = async (name: string, height: number) => {
    await mkdir(join(folder, name));
    const pixels = Buffer.from(Array.from({ length: 900 * height * 3 }, (_, at) => (at * 7919) % 251));
    await sharp(pixels, { raw: { width: 900, height, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toFile(join(folder, name, "1.png"));
  };
  await noise("a", 400);
  await noise("b", 401);
  await noise("c", 900);
  const refused = (name: string, size: string, has: string) =>
    `refused ${name}: it needs ${size} MB with the files that are made from it, and the disk has ${has} MB left: free some space`;
  for (const kept of ["on", "off"]) {
    process.env.KEEP_ORIGINALS = kept;
    expect(await lines({ isDryRun: true })).toEqual([
      "wouldImport a",
      refused("b", "2.2", "2"),
      refused("c", "4.9", "2"),
    ]);
  }
  expect([await allFiles(), await readdir(workDir)]).toEqual([[], []]);
  process.env.KEEP_ORIGINALS = "on";
  expect(await lines()).toEqual(["imported a", expect.anything(), expect.stringMatching(/^refused c/)]);
}
