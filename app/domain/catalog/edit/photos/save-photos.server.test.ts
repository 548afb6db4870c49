import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { createPhotoSet } from "#tests/support/media.ts";
import { editPhotos, photosOf } from "#tests/support/photo-order.ts";
import { findPhotos } from "../item/list-photos.server.ts";
import { photosVersion, savePhotos } from "./save-photos.server.ts";

const ann: Actor = { id: randomUUID(), name: "ann@example.com", role: "editor" };
const bob: Actor = { id: randomUUID(), name: "bob@example.com", role: "publisher" };
const SAVED = { saved: true };
const REFUSED = { saved: false, errors: { form: expect.any(String) } };

const entriesOf = (id: string) =>
  db.execute(sql`SELECT action, after FROM audit_log WHERE subject_id = ${id} ORDER BY id`);

test("photos have texts and previews, 24 a page, and a preview's files are open to everybody", async () => {
  const { id } = await createPhotoSet({ photos: 25 });
  const page = await findPhotos(id, 1);
  expect([page?.photos.length, (await findPhotos(id, 2))?.photos.length]).toEqual([24, 1]);
  const photo = page?.photos[2]?.id ?? "";
  expect(
    await editPhotos(ann, id, { [photo]: { alt: "A chair by the window", isPreview: true } }),
  ).toMatchObject(SAVED);
  const after = await findPhotos(id, 1);
  expect(after?.photos[2]).toMatchObject({ alt: "A chair by the window", isPreview: true });
  expect(after?.described).toBe(25);
  const needs = await db.execute(
    sql`SELECT DISTINCT needs FROM media_files WHERE media_id = ${id} AND name LIKE 'photo-3-%'`,
  );
  expect(needs).toEqual([{ needs: "preview" }]);
  const others = await db.execute(
    sql`SELECT DISTINCT needs FROM media_files WHERE media_id = ${id} AND name LIKE 'photo-2%'`,
  );
  expect(others).toEqual([{ needs: "view" }]);
});

test("the photos of one item cannot be changed through another", async () => {
  const [own, other] = [await createPhotoSet(), await createPhotoSet()];
  const photos = await photosOf(other.id);
  for (const changes of [{ alt: "Mine" }, { isPreview: true }, { isLeftOut: true }, { moveTo: 1 }]) {
    const sent = Object.fromEntries(photos.map(({ id }) => [id, changes]));
    expect(await editPhotos(ann, own.id, sent, photos)).toEqual(REFUSED);
  }
  const back = { photos: [], broughtBack: [photos[0]?.id ?? ""] };
  expect(await savePhotos(ann, own.id, photosVersion(photos), back)).toEqual(REFUSED);
  expect(await photosOf(other.id)).toEqual(photos);
  expect(await entriesOf(own.id)).toHaveLength(0);
});

test("the second of two editors sees who saved what, and saves once that is known", async () => {
  const { id, photo, opened } = await openSet();
  const alt = `alt-${photo}`;
  expect(await editPhotos(ann, id, { [photo]: { alt: "Hers" } }, opened)).toMatchObject(SAVED);
  const mine = { [photo]: { alt: "His", isPreview: true } };
  const refused = await editPhotos(bob, id, mine, opened);
  expect(refused).toMatchObject({
    conflict: { fields: [alt, `isPreview-${photo}`], stored: { [alt]: "Hers" }, edit: { actor: ann.name } },
  });
  expect((await openSet(id)).opened[0]).toMatchObject({ alt: "Hers", isPreview: false });
  const { conflict } = refused as Extract<typeof refused, { conflict: unknown }>;
  expect(conflict.version).toBe(
    photosVersion((await openSet(id)).opened.filter((each) => each.id === photo)),
  );
  expect(await editPhotos(bob, id, mine)).toMatchObject(SAVED);
  expect((await openSet(id)).opened[0]).toMatchObject({ alt: "His", isPreview: true });
});

test("what somebody else has saved in the same way is no conflict, and changes nothing", async () => {
  const { id, photo, opened } = await openSet();
  const both = { [photo]: { alt: "Both", moveTo: 2 } };
  expect(await editPhotos(ann, id, both, opened)).toMatchObject(SAVED);
  expect(await editPhotos(bob, id, both, opened)).toMatchObject(SAVED);
  expect(await entriesOf(id)).toMatchObject([
    { action: "media.edited", after: { [`alt-${photo}`]: "Both" } },
    { action: "media.photosReordered" },
  ]);
});

test("who writes texts is in no conflict with who moves photos, and the other way round", async () => {
  const { id, photo, opened } = await openSet();
  expect(await editPhotos(ann, id, { [photo]: { moveTo: 3 } }, opened)).toMatchObject(SAVED);
  expect(await editPhotos(bob, id, { [photo]: { alt: "His" } }, opened)).toMatchObject(SAVED);
  const order = (await photosOf(id)).map((each) => ({ ...each, alt: each.id === photo ? "Old" : each.alt }));
  const moved = { [order[0]?.id ?? ""]: { moveTo: 2 } };
  expect(await editPhotos(ann, id, moved, order)).toMatchObject(SAVED);
  expect((await photosOf(id)).map(({ number }) => number)).toEqual([3, 2, 1]);
});

test("texts that nobody has written are no conflict when the set has grown since", async () => {
  const { id } = await createPhotoSet({ photos: 3 });
  await db.execute(sql`UPDATE photos SET alt = 'Sun, photo ' || number || ' of 3' WHERE media_id = ${id}`);
  const opened = await photosOf(id);
  await db.execute(sql`UPDATE photos SET alt = 'Sun, photo ' || number || ' of 4' WHERE media_id = ${id}`);
  const [first, second] = opened.map((photo) => photo.id);
  const sent = { [first ?? ""]: { alt: "A chair" }, [second ?? ""]: {} };
  expect(await editPhotos(ann, id, sent, opened)).toMatchObject(SAVED);
  expect((await photosOf(id)).map(({ alt }) => alt)).toEqual([
    "A chair",
    "Sun, photo 2 of 4",
    "Sun, photo 3 of 4",
  ]);
});

test("a text that is too long is named, and one that somebody else has stored is not", async () => {
  const { id, photo, opened } = await openSet();
  const refused = await editPhotos(ann, id, { [photo]: { alt: "x".repeat(501), isLeftOut: true } });
  expect(refused).toMatchObject({ errors: { [`alt-${photo}`]: expect.stringContaining("too long") } });
  expect(await photosOf(id)).toEqual(opened);
  await db.execute(sql`UPDATE photos SET alt = repeat('x', 501) WHERE id = ${photo}`);
  expect(await editPhotos(ann, id, { [photo]: { isPreview: true } })).toMatchObject(SAVED);
});

test("only editors can save, and nobody can save a deleted or unknown item", async () => {
  const { id, photo, opened } = await openSet();
  const changes = { [photo]: { alt: "No", moveTo: 2 } };
  for (const role of ["member", "records"] as const) {
    expect(await editPhotos({ ...ann, role }, id, changes)).toEqual(REFUSED);
  }
  for (const unknown of [randomUUID(), "no id"]) {
    expect(await editPhotos(ann, unknown, changes, opened)).toEqual(REFUSED);
  }
  await db.execute(sql`UPDATE media SET status = 'deleted' WHERE id = ${id}`);
  expect(await editPhotos(ann, id, changes)).toEqual(REFUSED);
  expect(await photosOf(id)).toEqual(opened);
});

async function openSet(given?: string) {
  const id = given ?? (await createPhotoSet()).id;
  const opened = await photosOf(id);
  return { id, photo: opened[0]?.id ?? "", opened };
}
