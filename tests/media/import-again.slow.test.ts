import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { expect, test } from "vitest";
import { findCredits } from "#app/domain/catalog/edit/item/credits.server.ts";
import { findEdited } from "#app/domain/catalog/edit/item/items.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { withImportLock } from "#app/domain/catalog/import/import-lock.server.ts";
import { db } from "#db/client.server.ts";
import { editPart } from "#tests/support/edit-part.ts";
import { HOST } from "#tests/support/media.ts";
import { editPhotos, photosOf } from "#tests/support/photo-order.ts";
import { H264, importLines, openImport } from "../support/import-folder.ts";

const { folder, ffmpeg, runAs } = await openImport();

const SET = {
  "set/1.jpg": "#803050",
  "set/2.jpg": "#305080",
  "set/3.jpg": "#508030",
};
const VIDEO = {
  title: "Slow Water",
  description: "One long take.",
  creators: "[Vesper Quill, Ines Marlow]",
  tags: "[Water, Slow]",
  produced: "2026-04-02",
  date: "2026-05-31",
  expires: "2999-12-31 18:30",
  access: "member",
  download: "yes",
  shoot: "The river",
  chapters: '[{ at: "0:00", title: Rain }, { at: 0:01.5, title: Sun }]',
};

test("a folder with sidecars is imported, corrected in the studio, changed in its sidecars and imported again with nothing lost", async () => {
  await mkdir(join(folder, "first"));
  ffmpeg("first/first.mp4", H264, { seconds: 2, size: "64x36", audio: false });
  await sidecar("first/first.yaml", VIDEO);
  await pictures({ ...SET, "plain/1.jpg": "#101010", "ends/1.jpg": "#202020", "later/1.jpg": "#303030" });
  await sidecar("set/media.yaml", {
    shoot: "the River",
    photos: "[{ file: 1.jpg, alt: A wet stone, preview: true }, { file: 3.jpg, preview: yes }]",
  });
  await sidecar("ends/media.yaml", { expires: "2020-01-01" });
  await sidecar("later/media.yaml", { date: "2999-01-01", tags: "[Water]" });

  const ALL = ["ends", "first/first.mp4", "later", "plain", "set"];
  const drafts = await importLines(folder, { isPublishing: false });
  expect(drafts).toEqual(ALL.map((label) => `imported ${label}`));
  expect(await states()).toEqual({
    ...{ "Slow Water": "draft", ends: "draft", later: "draft", plain: "draft", set: "draft" },
  });
  expect(await importLines(folder, { isPublishing: false })).toEqual(ALL.map((label) => `present ${label}`));
  const video = await idOf("Slow Water");
  expect(await findEdited(video)).toMatchObject({
    ...{ title: "Slow Water", description: "One long take.", producedOn: "2026-04-02" },
    ...{ creators: ["Vesper Quill", "Ines Marlow"], tags: ["Slow", "Water"] },
    ...{ access: "member", allowDownload: true },
    expireAt: new Date("2999-12-31T18:30:00Z"),
    chapters: [
      { atSeconds: 0, title: "Rain" },
      { atSeconds: 1.5, title: "Sun" },
    ],
  });
  expect((await findCredits(video))?.shoot).toMatchObject([{ title: "set" }]);
  const set = await idOf("set");
  expect(await textsOf(set)).toEqual([
    ["A wet stone", true],
    ["set, photo 2 of 3", false],
    ["set, photo 3 of 3", true],
  ]);
  expect(await previewFiles(set)).toEqual(["photo-1", "photo-3"]);

  const released = await importLines(folder);
  expect(released).toEqual([
    "present ends",
    "notPublished ends: The expiry date of this item has passed. Change or remove it first.",
    ...["released first/first.mp4", "released later", "released plain", "released set"],
  ]);
  expect(await states()).toEqual({
    ...{ "Slow Water": "published", ends: "draft", later: "scheduled", plain: "published", set: "published" },
  });
  expect((await findEdited(video))?.publishAt).toEqual(new Date("2026-05-31T00:00:00Z"));

  await correct(video, "Slower Water");
  const [first] = await photosOf(set);
  await editPhotos(HOST, set, { [first?.id ?? ""]: { alt: "A stone in the rain" } });

  await sidecar("first/first.yaml", {
    ...VIDEO,
    title: "Slow River",
    description: '""',
    creators: "[Ines Marlow]",
    date: "2026-06-01",
    expires: '""',
    chapters: "[]",
  });
  await sidecar("set/media.yaml", {
    access: "subscriber",
    photos: "[{ file: 1.jpg, alt: A dry stone }, { file: 2.jpg, alt: A leaf }, { file: 3.jpg, preview: no }]",
  });
  await sidecar("plain/media.yaml", { title: "Plainly", tags: "[water]" });
  await sidecar("later/media.yaml", { date: "2999-02-01 12:00" });
  await sidecar("ends/media.yaml", { expires: "2999-01-01" });
  const kept = [
    "kept first/first.mp4: title: changed in the studio (--force overwrites it)",
    "kept first/first.mp4: date: cannot change after the item has been public",
    "kept set: alt of 1.jpg: changed in the studio (--force overwrites it)",
  ];
  const changes = [
    ...["updated ends: expires", "released ends"],
    "updated first/first.mp4: description, creators, expires, chapters",
    ...kept.slice(0, 2),
    "updated later: date",
    "updated plain: title, tags",
    "updated set: access, alt of 2.jpg, preview of 3.jpg",
    ...kept.slice(2),
  ];
  const before = await everything();
  const rehearsed = await importLines(folder, { isDryRun: true });
  expect(rehearsed).toEqual(
    changes.map((line) => line.replace(/^updated/, "wouldUpdate").replace(/^released/, "wouldRelease")),
  );
  expect(await everything()).toEqual(before);
  expect(await importLines(folder)).toEqual(changes);

  expect(await findEdited(video)).toMatchObject({
    ...{ title: "Slower Water", description: "", creators: ["Ines Marlow"], chapters: [], expireAt: null },
    ...{ state: "published", publishAt: new Date("2026-05-31T00:00:00Z"), producedOn: "2026-04-02" },
  });
  expect(await textsOf(set)).toEqual([
    ["A stone in the rain", true],
    ["A leaf", false],
    ["set, photo 3 of 3", false],
  ]);
  expect(await previewFiles(set)).toEqual(["photo-1"]);
  expect(await findEdited(await idOf("Plainly"))).toMatchObject({
    slug: expect.stringMatching(/^plainly-/),
    tags: ["Water"],
  });
  expect((await findEdited(await idOf("later")))?.publishAt).toEqual(new Date("2999-02-01T12:00:00Z"));
  const [counted] = await db.execute(
    sql`SELECT (SELECT video_count FROM creators WHERE name = 'Vesper Quill') AS vesper,
      (SELECT count(*)::int FROM media WHERE search @@ websearch_to_tsquery('simple', 'plainly')) AS found`,
  );
  expect(counted).toEqual({ vesper: 0, found: 1 });
  const [entry] = await db.execute(sql`SELECT actor_id, actor, before, after FROM audit_log
    WHERE subject_id = ${await idOf("Plainly")} ORDER BY id DESC LIMIT 1`);
  expect(entry).toEqual({
    ...{ actor_id: null, actor: "media:import" },
    before: { tags: [], title: "plain" },
    after: { tags: ["Water"], title: "Plainly" },
  });

  const presentAnd = (lines: string[]) => [...ALL.map((label) => `present ${label}`), ...lines].sort();
  expect((await importLines(folder)).sort()).toEqual(presentAnd(kept));
  expect(await importLines(folder, { isForced: true })).toEqual([
    "present ends",
    "updated first/first.mp4: title",
    "kept first/first.mp4: date: cannot change after the item has been public",
    ...["present later", "present plain", "updated set: alt of 1.jpg"],
  ]);
  expect(await states()).toMatchObject({ "Slow River": "published" });

  await changeState(HOST, video, "takeDown", { reason: "A complaint" });
  await changeState(HOST, set, "makeDraft");
  const last = await importLines(folder);
  expect(last).toEqual([
    ...["present ends", "present first/first.mp4"],
    expect.stringMatching(
      /^kept first\/first\.mp4: it was taken down, and the import does not change that: http/,
    ),
    ...["present later", "present plain"],
    // An item that somebody made a draft again is published by people alone.
    "present set",
  ]);
  expect(await importLines(folder, { isForced: true })).toEqual(last);
  expect(await states()).toEqual({
    ...{ "Slow River": "takenDown", ends: "published", later: "scheduled", Plainly: "published" },
    set: "draft",
  });
}, 180_000);

test("a sidecar that breaks a rule of the studio refuses its item with the same sentence", async () => {
  const cases: Record<string, [Record<string, string>, RegExp]> = {
    a: [{ title: "x".repeat(201) }, /title: The title is 1 character too long\. The limit is 200\./],
    b: [
      { tags: `[${Array.from({ length: 31 }, (_, index) => `t${index}`)}]` },
      /tags: An item can have up to 30 tags/,
    ],
    c: [
      { date: "2026-05-31", expires: "2026-05-30" },
      /expires: The expiry date must be after the publication date/,
    ],
    d: [{ photos: "[{ file: 2.jpg, alt: x }]" }, /photos: this folder has no picture 2\.jpg/],
    e: [
      { photos: `[{ file: 1.jpg, alt: ${"x".repeat(501)} }]` },
      /photos: The text is 1 character too long\./,
    ],
    f: [{ chapters: "[{ at: 0:00, title: x }]" }, /a photo set cannot have chapters/],
    g: [{ date: "2026-05-31 25:00" }, /date: 2026-05-31 25:00 is not a valid time/],
    h: [{ produced: "2126-05-31" }, /produced: The production date is in the future\./],
  };
  for (const [index, [name, [values]]] of Object.entries(cases).entries()) {
    await pictures({ [`${name}/1.jpg`]: `#${index}01020` });
    await sidecar(`${name}/media.yaml`, values);
  }
  await mkdir(join(folder, "late"));
  ffmpeg("late/a.mp4", H264, { size: "64x36", audio: false });
  await sidecar("late/a.yaml", { chapters: '[{ at: "0:05", title: Late }]' });
  const lines = await importLines(folder);
  expect(lines).toEqual([
    ...Object.entries(cases).map(([name, [, reason]]) =>
      expect.stringMatching(new RegExp(`^refused ${name}: ${reason.source}`)),
    ),
    "refused late/a.mp4: chapters: “Late” begins after the end of the video.",
  ]);
  expect(await db.execute(sql`SELECT 1 FROM media`)).toHaveLength(0);
}, 60_000);

test("the command makes drafts and says so, publishes with --publish, and prints JSON for programs", async () => {
  await pictures({ "a/1.jpg": "#803050", "b/1.jpg": "#305080" });
  const dry = await runAs("--dry-run");
  expect(dry.output).toMatch(
    /2 would be imported.*\n2 drafts would be created\. Publish them in the studio, or import with --publish\.\n$/,
  );
  await withImportLock(async () => {
    const beside = await runAs();
    expect([beside.code, beside.output]).toEqual([
      1,
      "Another import is running. Try again when it has finished.\n",
    ]);
  });
  const first = await runAs();
  expect([first.code, first.output]).toEqual([
    0,
    expect.stringMatching(
      /2 imported.*\n2 drafts were created\. Publish them in the studio, or import with --publish\.\n$/,
    ),
  ]);
  const published = await runAs("--publish", "--json");
  expect([published.code, JSON.parse(published.output)]).toEqual([
    0,
    ["a", "b"].map((label) => ({ outcome: "released", label, state: "published" })),
  ]);
  await sidecar("a/media.yaml", { expires: "2020-01-01" });
  await pictures({ "c/1.jpg": "#803070" });
  await sidecar("c/media.yaml", { expires: "2020-01-01" });
  const last = await runAs("--publish");
  expect(last.code).toBe(1);
  expect(last.output).toMatch(/^not published +c: The expiry date of this item has passed/m);
  expect(last.output).toMatch(/^refused +a: expires: The expiry date must be after the publication date\.$/m);
  const help = await runAs("--help");
  expect([help.code, help.output]).toEqual([0, expect.stringMatching(/^Usage: npm run media:import -- /)]);
}, 120_000);

async function sidecar(path: string, values: Record<string, string>) {
  const lines = Object.entries(values).map(([key, value]) => `${key}: ${value}\n`);
  await writeFile(join(folder, path), lines.join(""));
}

async function pictures(hues: Record<string, string>) {
  for (const [path, background] of Object.entries(hues)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await sharp({ create: { width: 40, height: 50, channels: 3, background } })
      .jpeg()
      .toFile(join(folder, path));
  }
}

async function correct(id: string, title: string) {
  expect(await editPart(HOST, id, "text", { title })).toMatchObject({ saved: true });
}

async function idOf(title: string): Promise<string> {
  const [row] = await db.execute<{ id: string }>(sql`SELECT id FROM media WHERE title = ${title}`);
  return row?.id ?? "";
}

async function states(): Promise<Record<string, string>> {
  const rows = await db.execute<{ title: string; status: string }>(sql`SELECT title, status FROM media`);
  return Object.fromEntries(rows.map(({ title, status }) => [title, status]));
}

async function textsOf(id: string) {
  return (await photosOf(id)).map(({ alt, isPreview }) => [alt, isPreview]);
}

async function previewFiles(id: string): Promise<string[]> {
  const rows = await db.execute<{ photo: string }>(sql`
    SELECT DISTINCT substring(name FROM '^photo-[0-9]+') AS photo FROM media_files
    WHERE media_id = ${id} AND needs = 'preview' ORDER BY photo`);
  return rows.map(({ photo }) => photo);
}

/** Everything that an import could write. */
async function everything() {
  return db.execute(sql`
    SELECT to_jsonb(m) AS media, (SELECT jsonb_agg(to_jsonb(p) ORDER BY p.id) FROM photos p WHERE p.media_id = m.id) AS photos,
      (SELECT count(*) FROM audit_log) AS entries, (SELECT count(*) FROM creators) AS creators,
      (SELECT count(*) FROM tags) AS tags
    FROM media m ORDER BY m.id`);
}
