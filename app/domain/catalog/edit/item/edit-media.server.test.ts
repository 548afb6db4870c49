import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { createPhotoSet } from "#tests/support/media.ts";
import { findEditable, listEditablePhotos, saveSection } from "./edit-media.server.ts";

const ann: Actor = { id: randomUUID(), name: "ann@example.com", role: "editor" };
const bob: Actor = { id: randomUUID(), name: "bob@example.com", role: "publisher" };
const SAVED = { saved: true };

async function open(id: string) {
  const item = await findEditable(id);
  if (item === null) throw new Error("the item is gone");
  return item;
}

test("photos have texts and previews, 24 a page, and a preview's files are open to everybody", async () => {
  const { id } = await createPhotoSet({ photos: 25 });
  const page = await listEditablePhotos(id, 1);
  expect([page.photos.length, page.pages, (await listEditablePhotos(id, 2)).photos.length]).toEqual([
    24, 2, 1,
  ]);
  for (const { picture } of page.photos) expect(picture?.widths.every(Number.isInteger)).toBe(true);
  const photo = page.photos[2];
  const changes = { [`alt-${photo?.id}`]: "A chair by the window", [`isPreview-${photo?.id}`]: true };
  expect(await saveSection(ann, id, "photos", page.values, { ...page.values, ...changes })).toEqual(SAVED);
  expect((await listEditablePhotos(id, 1)).photos[2]).toMatchObject({
    alt: "A chair by the window",
    isPreview: true,
  });
  const needs = await db.execute(
    sql`SELECT DISTINCT needs FROM media_files WHERE media_id = ${id} AND name LIKE 'photo-3-%'`,
  );
  expect(needs).toEqual([{ needs: "preview" }]);
  const others = await db.execute(
    sql`SELECT DISTINCT needs FROM media_files WHERE media_id = ${id} AND name LIKE 'photo-2%'`,
  );
  expect(others).toEqual([{ needs: "view" }]);
  expect((await open(id)).photosWithAlt).toBe(25);
});

test("the photos of one item cannot be changed through another", async () => {
  const [own, other] = [await createPhotoSet(), await createPhotoSet()];
  const { values } = await listEditablePhotos(other.id, 1);
  const wanted = Object.fromEntries(
    Object.keys(values).map((field) => [field, field.startsWith("alt-") ? "Mine" : true]),
  );
  expect(await saveSection(ann, own.id, "photos", values, wanted)).toMatchObject({
    saved: false,
    errors: { form: expect.any(String) },
  });
  expect((await listEditablePhotos(other.id, 1)).values).toEqual(values);
});

test("the second of two editors of one field sees the other's value, and overwrites nothing", async () => {
  const { id, photo, opened } = await openSet();
  const [alt, isPreview] = [`alt-${photo}`, `isPreview-${photo}`];
  expect(await saveSection(ann, id, "photos", opened, { ...opened, [alt]: "Hers" })).toEqual(SAVED);
  const sent = { ...opened, [alt]: "His", [isPreview]: true };
  expect(await saveSection(bob, id, "photos", opened, sent)).toEqual({
    saved: false,
    conflicts: [{ field: alt, theirs: "Hers", yours: "His" }],
  });
  expect((await openSet(id)).opened).toEqual({ ...opened, [alt]: "Hers" });
  expect(await saveSection(bob, id, "photos", { ...opened, [alt]: "Hers" }, sent)).toEqual(SAVED);
  expect((await openSet(id)).opened).toEqual(sent);
});

test("two editors who change different fields, or one field to the same value, are not in conflict", async () => {
  const { id, photo, opened } = await openSet();
  const [alt, isPreview] = [`alt-${photo}`, `isPreview-${photo}`];
  expect(await saveSection(ann, id, "photos", opened, { ...opened, [alt]: "Both" })).toEqual(SAVED);
  const sent = { ...opened, [alt]: "Both", [isPreview]: true };
  expect(await saveSection(bob, id, "photos", opened, sent)).toEqual(SAVED);
  const log = await db.execute(sql`SELECT after FROM audit_log WHERE subject_id = ${id} ORDER BY id`);
  expect(log).toEqual([{ after: { [alt]: "Both" } }, { after: { [isPreview]: true } }]);
});

test("only editors can save, and nobody can save a deleted or unknown item", async () => {
  const { id, photo, opened } = await openSet();
  const wanted = { ...opened, [`alt-${photo}`]: "No" };
  for (const role of ["member", "records"] as const) {
    expect(await saveSection({ ...ann, role }, id, "photos", opened, wanted)).toMatchObject({ saved: false });
  }
  expect(await saveSection(ann, randomUUID(), "photos", opened, opened)).toMatchObject({ saved: false });
  await db.execute(sql`UPDATE media SET status = 'deleted' WHERE id = ${id}`);
  expect(await saveSection(ann, id, "photos", opened, wanted)).toMatchObject({ saved: false });
  expect((await openSet(id)).opened).toEqual(opened);
});

async function openSet(given?: string) {
  const id = given ?? (await createPhotoSet()).id;
  const { photos, values } = await listEditablePhotos(id, 1);
  return { id, photo: photos[0]?.id ?? "", opened: values };
}
