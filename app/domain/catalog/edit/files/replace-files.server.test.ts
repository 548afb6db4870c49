import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { checkFiles } from "#app/domain/catalog/media/check-files.server.ts";
import { jobs } from "#app/domain/jobs/jobs.ts";
import { COVER_WIDTHS, fileNames, IMAGE_FORMATS } from "#app/domain/media/renditions.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { deleteMediaFiles, type MediaFileRow, storeMediaFile } from "#app/domain/media/store-file.server.ts";
import { db } from "#db/client.server.ts";
import { collectAnnouncements } from "#tests/support/announcements.ts";
import { createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { editPhotos } from "#tests/support/photo-order.ts";
import { findMedia } from "../../media/media.server.ts";
import { findMediaFile } from "../../media/served-file.server.ts";
import { findProblems } from "../problems/problems.server.ts";
import { changeState } from "../states/transitions.server.ts";
import { deleteRetiredFiles, dropRetiredFiles } from "./delete-files.server.ts";
import { claimFileVersion, replaceFiles } from "./replace-files.server.ts";

const announced = await collectAnnouncements();
const VIDEO = fileNames.video(360);
const COVER = [
  ...COVER_WIDTHS.flatMap((width) => IMAGE_FORMATS.map((format) => fileNames.cover(width, format))),
  fileNames.blur(),
];

async function claimed(mediaId: string): Promise<number> {
  const version = await claimFileVersion(mediaId);
  if (version === null) throw new Error("no version");
  return version;
}

/** Files of a new version, each with its name and version as content. */
async function store(mediaId: string, names: string[], needs: MediaFileRow["needs"] = "see") {
  const version = await claimed(mediaId);
  const facts = { mediaId, version, contentType: "image/webp", needs };
  return Promise.all(
    names.map((name) => storeMediaFile(Buffer.from(`${name} ${version}`), { ...facts, name })),
  );
}

const replace = (mediaId: string, files: MediaFileRow[]) =>
  db.transaction((tx) => replaceFiles(tx, mediaId, files));

const makeOld = (mediaId: string) =>
  db.execute(
    sql`UPDATE media_files SET retired_at = retired_at - interval '24 hours' WHERE media_id = ${mediaId}`,
  );

async function currentVersions(mediaId: string) {
  const rows = await db.execute<{ name: string; version: number }>(sql`
    SELECT name, version FROM media_files WHERE media_id = ${mediaId} AND retired_at IS NULL ORDER BY name`);
  return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
}

async function runDeletions(mediaId: string): Promise<number> {
  const rows = await db.execute<{ payload: unknown }>(sql`
    SELECT j.payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'delete-retired-files' AND j.payload ->> 'mediaId' = ${mediaId}`);
  for (const { payload } of rows) {
    await deleteRetiredFiles(jobs["delete-retired-files"].payload.parse(payload));
  }
  return rows.length;
}

async function problemsOf(mediaId: string) {
  const problems: { storageKey: string; what: string }[] = [];
  await checkFiles({ isReadingBytes: true, onProblem: (problem) => problems.push(problem) });
  return problems.filter(({ storageKey }) => storageKey.includes(mediaId));
}

test("files of one group are replaced together, and the item's other files stay", async () => {
  const { id, slug } = await createVideo({ withFiles: true });
  expect(await replace(id, await store(id, COVER))).toBe(true);
  const versions = await currentVersions(id);
  expect(versions).toEqual({ ...Object.fromEntries(COVER.map((name) => [name, 1])), [VIDEO]: 0 });
  expect((await findMedia("video", slug))?.coverVersion).toBe(1);
  await expect.poll(() => announced).toContain(`media ${id}`);
});

test("a size that the new files lack is retired as well", async () => {
  const { id } = await createVideo({ withFiles: true });
  await replace(id, await store(id, [fileNames.video(1080), VIDEO], "view"));
  await replace(id, await store(id, [fileNames.video(720)], "view"));
  const { [VIDEO]: small, "video-1080.mp4": large, ...others } = await currentVersions(id);
  expect([small, large, others["video-720.mp4"], others["cover-480.avif"]]).toEqual([
    undefined,
    undefined,
    2,
    0,
  ]);
});

test("captions are replaced language by language", async () => {
  const { id } = await createVideo();
  const [english, german] = [fileNames.captions("en"), fileNames.captions("de")];
  await replace(id, await store(id, [english, german], "view"));
  await replace(id, await store(id, [german], "view"));
  expect(await currentVersions(id)).toMatchObject({ [english]: 1, [german]: 2 });
});

test("a file that was replaced answers for a day at its address, then its row goes and then the file", async () => {
  const { id } = await createVideo({ withFiles: true });
  const first = await findMediaFile(id, VIDEO, 0);
  await replace(id, await store(id, [VIDEO], "view"));
  expect((await findMediaFile(id, VIDEO, 0))?.file).toEqual(first?.file);
  expect((await findMediaFile(id, VIDEO, 1))?.file.storageKey).toBe(`media/${id}/1/${VIDEO}`);
  await dropRetiredFiles();
  expect(await findMediaFile(id, VIDEO, 0)).not.toBeNull();

  await makeOld(id);
  expect(await findMediaFile(id, VIDEO, 0)).toBeNull();
  const key = first?.file.storageKey ?? "";
  await dropRetiredFiles();
  expect(await mediaStorage.head(key)).not.toBeNull();
  // A crash in between repeats the job.
  for (let times = 0; times < 2; times++) expect(await runDeletions(id)).toBe(1);
  expect(await mediaStorage.head(key)).toBeNull();
  expect(await problemsOf(id)).toEqual([]);
  expect(await findMediaFile(id, VIDEO, 1)).not.toBeNull();
});

test("a file whose key a row has again is not deleted", async () => {
  const { id } = await createVideo({ withFiles: true });
  await deleteRetiredFiles({ mediaId: id, storageKeys: [`media/${id}/${VIDEO}`, `media/${id}/7/${VIDEO}`] });
  expect(await problemsOf(id)).toEqual([]);
});

test("a file of an encoding stays while its step is done, or runs and may have stored it again", async () => {
  const { id } = await createVideo();
  const files = await store(id, ["rung-360.mp4"], "view");
  const storageKeys = files.map(({ storageKey }) => storageKey);
  const isThere = async () => (await mediaStorage.head(storageKeys[0] ?? "")) !== null;
  await db.execute(sql`INSERT INTO media_encodings (media_id, version) VALUES (${id}, 1)`);
  await db.execute(sql`INSERT INTO media_work (media_id, step, position, state, claimed_by)
    VALUES (${id}, 'rung-360', 1, 'running', 7)`);
  await deleteRetiredFiles({ mediaId: id, storageKeys });
  expect(await isThere()).toBe(true);
  await db.execute(sql`UPDATE media_work SET state = 'done', made = ${JSON.stringify(files)}::jsonb
    WHERE media_id = ${id}`);
  // It was queued again.
  expect(await runDeletions(id)).toBe(1);
  expect(await isThere()).toBe(true);
  await db.execute(sql`UPDATE media_work SET state = 'cancelled', made = '[]' WHERE media_id = ${id}`);
  expect(await runDeletions(id)).toBe(1);
  expect(await isThere()).toBe(false);
});

test("two replacements at once each store their own files, and one of them is current", async () => {
  const { id } = await createVideo({ withFiles: true });
  const both = await Promise.all([store(id, COVER), store(id, COVER)]);
  expect(await Promise.all(both.map((files) => replace(id, files)))).toEqual([true, true]);
  const current = new Set(COVER.map(async (name) => (await currentVersions(id))[name]));
  expect(new Set(await Promise.all(current)).size).toBe(1);
  for (const version of [0, 1, 2]) {
    const found = await findMediaFile(id, fileNames.blur(), version);
    const bytes = await mediaStorage.read(found?.file.storageKey ?? "");
    expect(bytes?.toString()).toBe(version === 0 ? fileNames.blur() : `${fileNames.blur()} ${version}`);
  }
});

test("a crash between storing and commit leaves only files that the check of files names", async () => {
  const { id } = await createVideo({ withFiles: true });
  const before = await currentVersions(id);
  const files = await store(id, COVER);
  await expect(
    db.transaction(async (tx) => {
      await replaceFiles(tx, id, files);
      throw new Error("crashed");
    }),
  ).rejects.toThrow("crashed");
  expect(await currentVersions(id)).toEqual(before);
  const problems = await problemsOf(id);
  expect(problems.map(({ storageKey, what }) => [storageKey, what]).toSorted()).toEqual(
    COVER.map((name) => [`media/${id}/1/${name}`, "unknown"]).toSorted(),
  );
  expect(await claimed(id)).toBe(2);
});

test("nothing is stored for an item that was deleted, and its versions go with it", async () => {
  const { id } = await createVideo({ status: "draft", withFiles: true });
  await replace(id, await store(id, COVER));
  const late = await store(id, COVER);
  await changeState(HOST, id, "delete");
  expect(await replace(id, late)).toBe(false);
  expect(await claimFileVersion(id)).toBeNull();
  await deleteMediaFiles(id);
  expect(await problemsOf(id)).toEqual([]);
});

test("replaced files of a photo can only lose rights, and new ones get the photo's present right", async () => {
  const { id } = await createPhotoSet({ photos: 2, withFiles: true });
  const [photo] = await db.execute<{ id: string }>(
    sql`SELECT id FROM photos WHERE media_id = ${id} AND number = 2`,
  );
  const name = fileNames.photo(2, 480, "webp");
  const setPreview = (isPreview: boolean) => editPhotos(HOST, id, { [photo?.id ?? ""]: { isPreview } });
  const needs = async () => [
    (await findMediaFile(id, name, 0))?.needs,
    (await findMediaFile(id, name, 1))?.needs,
  ];
  // Somebody makes it a preview while its new files are made.
  const files = await store(id, [name], "view");
  await setPreview(true);
  await replace(id, files);
  expect(await needs()).toEqual(["preview", "preview"]);
  await setPreview(false);
  expect(await needs()).toEqual(["view", "view"]);
  await setPreview(true);
  expect(await needs()).toEqual(["view", "preview"]);
});

test("a problem of an item counts only its current files", async () => {
  const { id } = await createVideo();
  expect(await findProblems(id)).not.toContain("noCover");
  await db.execute(
    sql`UPDATE media_files SET retired_at = now() WHERE media_id = ${id} AND name LIKE 'cover-%'`,
  );
  expect(await findProblems(id)).toContain("noCover");
  await replace(id, await store(id, COVER));
  expect(await findProblems(id)).not.toContain("noCover");
});

vi.setConfig({ testTimeout: 60_000 });
