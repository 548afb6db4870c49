import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { findTotals } from "#app/domain/catalog/media/counts.server.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { saveProgress } from "#app/domain/viewing/save-progress.server.ts";
import { db } from "#db/client.server.ts";
import { collectAnnouncements } from "#tests/support/announcements.ts";
import { createPhotoSet } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import {
  bringBackPhoto,
  editPhotos,
  leaveOutPhoto,
  photosOf,
  reorderPhotos,
} from "#tests/support/photo-order.ts";
import { findMedia } from "../../media/media.server.ts";
import { photoView, storedPhotoAt, storedPhotos } from "../../media/photos.server.ts";
import { findMediaFile } from "../../media/served-file.server.ts";

const ann: Actor = { id: "00000000-0000-4000-8000-000000000001", name: "ann@example.com", role: "editor" };
const announced = await collectAnnouncements();

async function makeSet(given: Parameters<typeof createPhotoSet>[0] = {}) {
  const set = await createPhotoSet({ photos: 4, ...given });
  const rows = await db.execute<{ id: string }>(
    sql`SELECT id FROM photos WHERE media_id = ${set.id} ORDER BY number`,
  );
  return { ...set, photoIds: rows.map(({ id }) => id) };
}

/** The numbers of the photos in their order, and the count beside them. */
async function orderOf({ slug }: { slug: string }) {
  const found = await findMedia("photoSet", slug, null, storedPhotos(undefined));
  const photos = found?.part ?? [];
  expect(photos.map(({ position }) => position)).toEqual(photos.map((_, index) => index + 1));
  return { numbers: photos.map(({ number }) => number), count: found?.photoCount };
}

const needsOf = async (mediaId: string, number: number) =>
  (await findMediaFile(mediaId, fileNames.photo(number, 480, "webp"), 0))?.needs;

const auditOf = (id: string) =>
  db.execute(sql`SELECT actor, action, after FROM audit_log WHERE subject_id = ${id} ORDER BY id`);

test("a photo is left out, the rest close up, and it comes back where it was", async () => {
  const set = await makeSet({ previews: 2 });
  const { photos: others } = await findTotals();
  expect(await leaveOutPhoto(ann, set.id, set.photoIds[1] ?? "")).toBeNull();
  expect(await orderOf(set)).toEqual({ numbers: [1, 3, 4], count: 3 });
  expect((await findTotals()).photos).toBe(others - 1);
  expect([await needsOf(set.id, 1), await needsOf(set.id, 2), await needsOf(set.id, 3)]).toEqual([
    "preview",
    "edit",
    "view",
  ]);
  await expect.poll(() => announced).toContain(`media ${set.id}`);
  // Photo 3 keeps its number, and so the names of its files.
  const second = (await findMedia("photoSet", set.slug, null, storedPhotoAt(2, undefined)))?.part;
  expect(second && photoView(set.id, second, true).picture?.url).toBe(`/media/${set.id}/photo-3`);

  expect(await bringBackPhoto(ann, set.id, set.photoIds[1] ?? "")).toBeNull();
  expect(await orderOf(set)).toEqual({ numbers: [1, 2, 3, 4], count: 4 });
  expect(await needsOf(set.id, 2)).toBe("preview");
  expect((await findTotals()).photos).toBe(others);
  expect(await auditOf(set.id)).toEqual([
    { actor: ann.name, action: "media.photoLeftOut", after: { photo: 2, number: 2 } },
    { actor: ann.name, action: "media.photoBroughtBack", after: { photo: 2, number: 2 } },
  ]);
});

test("photos are reordered in one step, and a photo that is brought back finds its neighbor", async () => {
  const set = await makeSet();
  const [first = "", second = "", third = "", fourth = ""] = set.photoIds;
  expect(await reorderPhotos(ann, set.id, [fourth, second, first, third])).toBeNull();
  expect((await orderOf(set)).numbers).toEqual([4, 2, 1, 3]);
  await leaveOutPhoto(ann, set.id, third);
  await leaveOutPhoto(ann, set.id, second);
  await bringBackPhoto(ann, set.id, third);
  expect((await orderOf(set)).numbers).toEqual([4, 1, 3]);
  expect((await auditOf(set.id))[0]).toMatchObject({
    action: "media.photosReordered",
    after: { order: [4, 2, 1, 3] },
  });
});

test("the last photo stays, and an unchanged order writes nothing", async () => {
  const set = await makeSet({ photos: 2 });
  const [first = "", second = ""] = set.photoIds;
  expect(await bringBackPhoto(ann, set.id, first)).toBeNull();
  expect(await reorderPhotos(ann, set.id, [first, second])).toBeNull();
  expect(await auditOf(set.id)).toHaveLength(0);
  for (let times = 0; times < 2; times++) expect(await leaveOutPhoto(ann, set.id, first)).toBeNull();
  expect(await auditOf(set.id)).toHaveLength(1);
  expect(await leaveOutPhoto(ann, set.id, second)).toBe("At least one photo must stay in the set.");
  expect((await orderOf(set)).numbers).toEqual([2]);
});

test("a preview that is left out is closed to visitors, whatever its form says", async () => {
  const set = await makeSet();
  const [first = ""] = set.photoIds;
  await leaveOutPhoto(ann, set.id, first);
  expect(await editPhotos(ann, set.id, { [first]: { isPreview: true } })).toMatchObject({ saved: true });
  expect(await needsOf(set.id, 1)).toBe("edit");
  await bringBackPhoto(ann, set.id, first);
  expect(await needsOf(set.id, 1)).toBe("preview");
});

test("progress never points past the photos that are left", async () => {
  const [set, member] = [await makeSet(), await createMember()];
  await saveProgress({ userId: member.id, mediaId: set.id, progress: 3 });
  await leaveOutPhoto(ann, set.id, set.photoIds[0] ?? "");
  await leaveOutPhoto(ann, set.id, set.photoIds[1] ?? "");
  const seen = async () => (await findMedia("photoSet", set.slug, member.id))?.own.progress?.progress;
  expect(await seen()).toBe(2);
  await bringBackPhoto(ann, set.id, set.photoIds[0] ?? "");
  expect(await seen()).toBe(3);
});

test("a text that the import wrote follows the position, and one that somebody wrote stays", async () => {
  const set = await makeSet({ photos: 3 });
  await db.execute(sql`UPDATE photos SET alt = CASE WHEN number = 2 THEN 'A chair' ELSE
    'Sun, photo ' || number || ' of 3' END WHERE media_id = ${set.id}`);
  await leaveOutPhoto(ann, set.id, set.photoIds[0] ?? "");
  const photos = await photosOf(set.id);
  expect(photos.slice(0, 2).map(({ alt }) => alt)).toEqual(["A chair", "Sun, photo 2 of 2"]);
});

test("typed numbers move photos, two with one number keep their order, and ticked ones are left out", async () => {
  const set = await makeSet({ photos: 6 });
  const [first = "", , third = "", , fifth = "", sixth = ""] = set.photoIds;
  const typed = {
    [first]: { isLeftOut: true },
    [third]: { moveTo: 900 },
    [fifth]: { moveTo: 2 },
    [sixth]: { moveTo: 2 },
  };
  expect(await editPhotos(ann, set.id, typed)).toMatchObject({ saved: true });
  expect(await orderOf(set)).toEqual({ numbers: [2, 5, 6, 4, 3], count: 5 });
  const log = await auditOf(set.id);
  expect(log.map(({ action }) => action)).toEqual(["media.photoLeftOut", "media.photosReordered"]);
  const all = Object.fromEntries(set.photoIds.map((id) => [id, { isLeftOut: true }]));
  expect(await editPhotos(ann, set.id, all)).toMatchObject({ saved: false });
  const rest = set.photoIds.slice(1).map((id) => [id, { isLeftOut: true }]);
  expect(await editPhotos(ann, set.id, Object.fromEntries(rest))).toMatchObject({
    errors: { form: "At least one photo must stay in the set." },
  });
});

test("a moved photo that somebody else has also moved is a conflict, and others stay where they are now", async () => {
  const set = await makeSet();
  const [first = "", , , fourth = ""] = set.photoIds;
  const opened = await photosOf(set.id);
  expect(await editPhotos(ann, set.id, { [fourth]: { moveTo: 1 } }, opened)).toMatchObject({ saved: true });
  const position = `position-${first}`;
  expect(await editPhotos(ann, set.id, { [first]: { moveTo: 3 } }, opened)).toMatchObject({
    conflict: { fields: [position], stored: { [position]: 2 } },
  });
  expect(await orderOf(set)).toMatchObject({ numbers: [4, 1, 2, 3] });
  expect(await editPhotos(ann, set.id, { [first]: { moveTo: 3 } })).toMatchObject({ saved: true });
  expect(await orderOf(set)).toMatchObject({ numbers: [4, 2, 1, 3] });
});

test("a photo comes back only into a set that has room for it", async () => {
  const set = await makeSet();
  const [first = "", second = ""] = set.photoIds;
  await leaveOutPhoto(ann, set.id, first);
  const fill = (upTo: number) =>
    db.execute(sql`
      INSERT INTO photos (media_id, number, position, width, height, widest, source_hash)
      SELECT ${set.id}, at + 1, at, 600, 800, 600, '' FROM generate_series(
        (SELECT max(position) + 1 FROM photos WHERE media_id = ${set.id}), ${upTo}::int) at`);
  await fill(1_000);
  const sentence = "A set can have up to 1,000 photos. Leave out another one first.";
  expect(await bringBackPhoto(ann, set.id, first)).toBe(sentence);
  const count = async () => {
    const [row] = await db.execute<{ photos: number }>(
      sql`SELECT count(position)::int AS photos FROM photos WHERE media_id = ${set.id}`,
    );
    return row?.photos;
  };
  expect(await count()).toBe(1_000);
  await leaveOutPhoto(ann, set.id, second);
  expect(await bringBackPhoto(ann, set.id, first)).toBeNull();
  expect(await count()).toBe(1_000);
});
