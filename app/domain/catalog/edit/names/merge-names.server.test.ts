import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { findCreator, findMovedCreator } from "#app/domain/catalog/creators/creators.server.ts";
import { findMovedFilters } from "#app/domain/catalog/lists/filter-options.server.ts";
import { parseFilters } from "#app/domain/catalog/lists/list-filters.ts";
import { listMedia } from "#app/domain/catalog/lists/list-media.server.ts";
import { findMergeTarget } from "#app/domain/catalog/media/former-slugs.server.ts";
import {
  findCreatorByName,
  findOrCreateNames,
  findTagByName,
} from "#app/domain/catalog/media/names.server.ts";
import { verifyAudit } from "#app/domain/staff/audit.server.ts";
import { db } from "#db/client.server.ts";
import { creatorFiles } from "#db/schema/catalog-files.ts";
import { editName } from "#tests/support/edit-part.ts";
import { createCreator, createVideo, HOST } from "#tests/support/media.ts";
import { addCreator, deleteName } from "./edit-names.server.ts";
import { mergeNames, previewMerge } from "./merge-names.server.ts";
import { removePortrait } from "./portraits.server.ts";

const VISITOR = { isAdult: true, user: null, subscription: null } as const;

beforeEach(async () => {
  await db.execute(sql`TRUNCATE media, creators, tags, former_slugs, daily_totals CASCADE`);
});

const creditsOf = async (mediaId: string) => {
  const rows = await db.execute<{ name: string }>(sql`
    SELECT c.name FROM media_creators mc JOIN creators c ON c.id = mc.creator_id
    WHERE mc.media_id = ${mediaId} ORDER BY mc.position`);
  return rows.map(({ name }) => name);
};
/** Ids of videos in visitors' lists. */
const searchFinds = async (word: string) => {
  const { rows } = await listMedia("video", parseFilters(new URLSearchParams({ q: word, exact: "1" })));
  return rows.map(({ id }) => id).sort();
};
const tagId = async (name: string) => (await findTagByName(db, name))?.id ?? "";
const tagsOf = async (mediaId: string) => {
  const rows = await db.execute<{ name: string }>(sql`
    SELECT t.name FROM media_tags mt JOIN tags t ON t.id = mt.tag_id WHERE mt.media_id = ${mediaId} ORDER BY t.name`);
  return rows.map(({ name }) => name);
};

test("works follow a merge, and one that credits both keeps the earlier credit", async () => {
  const [ada, bea, cy] = [
    await createCreator({ name: "Ada", aliases: ["A. Marlowe", "Bea"] }),
    await createCreator({ name: "Bea" }),
    await createCreator({ name: "Cy" }),
  ];
  const alone = await createVideo({ creators: [ada.id] });
  const both = await createVideo({ creators: [ada.id, cy.id, bea.id] });
  const draft = await createVideo({ creators: [cy.id, ada.id], status: "draft" });
  const theirs = await createVideo({ creators: [bea.id] });
  await db.execute(sql`INSERT INTO daily_totals (day, kind, key, amount) VALUES
    ('2026-11-01', 'creatorPlays', ${ada.id}, 5), ('2026-11-01', 'creatorPlays', ${bea.id}, 2),
    ('2026-11-02', 'creatorPlays', ${ada.id}, 1)`);
  expect(await previewMerge("creator", ada.id, bea.id)).toMatchObject({
    ...{ shared: 1, newAliases: ["Ada", "A. Marlowe"], losesPortrait: true, problem: null },
    ...{ subject: { works: 3 }, target: { works: 2 } },
  });

  expect(await mergeNames(HOST, "creator", ada.id, bea.id)).toBeNull();
  expect(await creditsOf(alone.id)).toEqual(["Bea"]);
  expect(await creditsOf(both.id)).toEqual(["Bea", "Cy"]);
  expect(await creditsOf(draft.id)).toEqual(["Cy", "Bea"]);
  expect(await findCreator(VISITOR, bea.slug)).toMatchObject({
    ...{ aliases: ["Ada", "A. Marlowe"], videoCount: 3 },
  });
  expect(await findMovedCreator(VISITOR, ada.slug)).toBe(bea.slug);
  expect(await findMergeTarget("creator", ada.id)).toBe(bea.id);
  for (const name of ["ada", "A. MARLOWE", "Bea"]) {
    expect((await findCreatorByName(db, name))?.id).toBe(bea.id);
  }
  // Her own works are found by the new alias, too.
  expect(await searchFinds("marlowe")).toEqual([alone.id, both.id, theirs.id].sort());
  const totals = await db.execute(sql`SELECT key, sum(amount)::int AS amount FROM daily_totals GROUP BY key`);
  expect(totals).toEqual([{ key: bea.id, amount: 8 }]);
  const jobs = await db.execute(sql`SELECT payload->>'creatorId' AS id FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'delete-creator-files'
    AND payload->>'creatorId' = ${ada.id}`);
  expect(jobs).toEqual([{ id: ada.id }]);
  const entries = await db.execute(
    sql`SELECT action, subject_name FROM audit_log WHERE subject_id = ${bea.id}`,
  );
  expect(entries).toEqual([{ action: "creator.merged", subject_name: "Ada" }]);
  expect((await verifyAudit()).brokenId).toBeNull();
});

test("an address leads on through a rename and a later merge, and a new owner of it wins", async () => {
  const ada = await createCreator({ name: "Ada" });
  const bea = await createCreator({ name: "Bea" });
  await createVideo({ creators: [ada.id] });
  await createVideo({ creators: [bea.id] });
  const move = (slug: string, id: string) => editName(HOST, "creator", id, { slug });
  await move("ada-lane", ada.id);
  expect(await findMovedCreator(VISITOR, ada.slug)).toBe("ada-lane");
  await mergeNames(HOST, "creator", ada.id, bea.id);
  await move("bea-lane", bea.id);
  for (const old of [ada.slug, "ada-lane", bea.slug]) {
    expect(await findMovedCreator(VISITOR, old)).toBe("bea-lane");
    expect(await findMovedFilters({ user: null }, { creator: old, tag: null })).toEqual({
      creator: "bea-lane",
    });
  }
  const cy = await createCreator({ name: "Cy" });
  await move("ada-lane", cy.id);
  expect(await findMovedCreator(VISITOR, "ada-lane")).toBeNull();
  expect(await findMergeTarget("creator", ada.id)).toBe(bea.id);
  await mergeNames(HOST, "creator", bea.id, cy.id);
  for (const id of [ada.id, bea.id]) expect(await findMergeTarget("creator", id)).toBe(cy.id);
});

test("a creator who returns to an earlier address is no longer redirected from it", async () => {
  const bea = await createCreator({ name: "Bea" });
  await createVideo({ creators: [bea.id] });
  const move = (slug: string, id: string) => editName(HOST, "creator", id, { slug });
  await move("bea-lane", bea.id);
  // Back at an earlier address, nothing leads from it.
  await move(bea.slug, bea.id);
  expect(await findMovedCreator(VISITOR, bea.slug)).toBeNull();
  expect(await findMovedCreator(VISITOR, "bea-lane")).toBe(bea.slug);
});

test("no earlier address reveals a creator who has nothing published", async () => {
  const ada = await createCreator({ name: "Ada" });
  await createVideo({ creators: [ada.id], status: "draft" });
  await editName(HOST, "creator", ada.id, { slug: "new" });
  expect(await findMovedCreator(VISITOR, ada.slug)).toBeNull();
  expect(await findMovedFilters({ user: null }, { creator: ada.slug, tag: null })).toBeNull();
  const editor = { ...VISITOR, user: { role: "editor" } } as const;
  expect(await findMovedCreator(editor, ada.slug)).toBe("new");
});

test("a renamed and then merged tag is found by all its names, and its lists by all their addresses", async () => {
  const video = await createVideo({ tags: ["Dusk", "Night"] });
  const other = await createVideo({ tags: ["Dusk"] });
  const dusk = await tagId("Dusk");
  expect(await editName(HOST, "tag", dusk, { name: "Blue  hour" })).toMatchObject({ saved: true });
  expect(await searchFinds("hour")).toEqual([video.id, other.id].sort());
  expect(await searchFinds("dusk")).toEqual([]);
  await mergeNames(HOST, "tag", dusk, await tagId("Night"));
  expect([await tagsOf(video.id), await tagsOf(other.id)]).toEqual([["Night"], ["Night"]]);
  for (const name of ["dusk", "Blue hour", "NIGHT"])
    expect(await findTagByName(db, name)).toMatchObject({ name: "Night" });
  for (const tag of ["dusk", "blue-hour"])
    expect(await findMovedFilters({ user: null }, { creator: null, tag })).toEqual({ tag: "night" });
  expect(await searchFinds("night")).toEqual([video.id, other.id].sort());
  expect(await deleteName(HOST, "tag", await tagId("Night"))).toBeNull();
  expect([await tagsOf(video.id), await findTagByName(db, "dusk"), await searchFinds("night")]).toEqual([
    [],
    null,
    [],
  ]);
});

test("a tag with special characters is found by the names that it has had, and no other tag by its address", async () => {
  const video = await createVideo({ tags: ["B&W", "Mono"] });
  await editName(HOST, "tag", await tagId("B&W"), { name: "Gray" });
  expect(await findTagByName(db, "b&w")).toMatchObject({ name: "Gray" });
  expect(await findTagByName(db, "B and W")).toBeNull();
  await mergeNames(HOST, "tag", await tagId("Gray"), await tagId("Mono"));
  for (const name of ["B&W", "gray"]) expect(await findTagByName(db, name)).toMatchObject({ name: "Mono" });
  expect(await tagsOf(video.id)).toEqual(["Mono"]);
  await db.execute(sql`INSERT INTO tags (slug, name) VALUES ('a', 'A'), ('a-star', 'A*')`);
  expect(await editName(HOST, "tag", await tagId("A*"), { name: "a" })).toMatchObject({
    errors: { name: expect.stringContaining("“A” is already a tag") },
  });
  expect(await editName(HOST, "tag", await tagId("A*"), { name: "A+" })).toMatchObject({ saved: true });
});

test.each([
  ["Straße", "STRASSE"],
  ["Smørrebrød", "smorrebrod"],
  ["Cæsar", "caesar"],
  ["Łódź", "lodz"],
  ["Don’t look", "Don't look"],
  ["Đà Lạt", "dalat"],
  ["Slow  light", "slowlight"],
  ["ﬁlm", "film"],
])("after a rename, the tag %s is found as %s too, as it was before", async (name, other) => {
  await createVideo({ tags: [name] });
  const id = await tagId(name);
  expect(await tagId(other)).toBe(id);
  await editName(HOST, "tag", id, { name: `Renamed ${id}` });
  expect([await tagId(name), await tagId(other)]).toEqual([id, id]);
});

test("a tag is found among 20,000 without reading all of them", async () => {
  await db.execute(
    sql`INSERT INTO tags (slug, name) SELECT 'many-' || n, 'Many ' || n FROM generate_series(1, 20000) n`,
  );
  await db.execute(sql`VACUUM ANALYZE tags`);
  const rows = await db.transaction(async (tx) => {
    // The counts still hold those of earlier transactions of the connection.
    const count = async () => {
      const [row] = await tx.execute<{ rows: number }>(sql`
        SELECT (pg_stat_get_xact_tuples_fetched('tags'::regclass)
          + pg_stat_get_xact_tuples_returned('tags'::regclass))::int AS rows`);
      return row?.rows ?? 0;
    };
    const before = await count();
    expect(await findTagByName(tx, "mány 77")).toMatchObject({ name: "Many 77" });
    return (await count()) - before;
  });
  expect(rows).toBeLessThan(20);
});

test("nobody without the right makes, changes, merges or deletes a name", async () => {
  const records = { id: crypto.randomUUID(), name: "x", role: "records" } as const;
  const [one, other] = [await createCreator({ name: "Ada" }), await createCreator({ name: "Bea" })];
  await createVideo({ tags: ["slow", "still"] });
  const [slow, still] = [await tagId("slow"), await tagId("still")];
  const refused = "Your role does not allow this.";
  const unsaved = { saved: false, errors: { form: refused } };
  expect(await addCreator(records, "Cy")).toMatchObject({ id: null, problem: refused });
  expect(await editName(records, "creator", one.id, { name: "Eve" })).toEqual(unsaved);
  expect(await removePortrait(records, one.id)).toBe(refused);
  expect(await mergeNames(records, "creator", one.id, other.id)).toBe(refused);
  expect(await deleteName(records, "creator", one.id)).toBe(refused);
  expect(await editName(records, "tag", slow, { name: "fast" })).toEqual(unsaved);
  expect(await mergeNames(records, "tag", slow, still)).toBe(refused);
  expect(await deleteName(records, "tag", slow)).toBe(refused);
  const names = await db.execute<{ name: string }>(
    sql`SELECT name FROM creators UNION SELECT name FROM tags ORDER BY name`,
  );
  expect(names.map(({ name }) => name)).toEqual(["Ada", "Bea", "slow", "still"]);
});

test("a portrait of the demo, whose version is not a UUID, is removed like any other", async () => {
  const { id } = await createCreator({ name: "Ada" });
  await db.execute(sql`
    UPDATE creator_files SET storage_key = 'creators/' || creator_id || '/demo/' || name WHERE creator_id = ${id}`);
  expect(await removePortrait(HOST, id)).toBeNull();
  expect(await db.$count(creatorFiles, eq(creatorFiles.creatorId, id))).toBe(0);
});

test("two merges of the same creators in opposite directions at once end in one creator", async () => {
  const ada = await createCreator({ name: "Ada" });
  const bea = await createCreator({ name: "Bea" });
  const video = await createVideo({ creators: [ada.id] });
  const results = await Promise.all([
    mergeNames(HOST, "creator", ada.id, bea.id),
    mergeNames(HOST, "creator", bea.id, ada.id),
  ]);
  expect(results.filter((problem) => problem === null)).toHaveLength(1);
  expect(await creditsOf(video.id)).toHaveLength(1);
  expect(await db.execute(sql`SELECT count(*)::int AS creators FROM creators`)).toEqual([{ creators: 1 }]);
});

test("a new creator leaves an earlier address to the one who had it", async () => {
  const ada = await createCreator({ name: "Ada" });
  await db.execute(sql`UPDATE creators SET slug = 'ada' WHERE id = ${ada.id}`);
  await createVideo({ creators: [ada.id] });
  await editName(HOST, "creator", ada.id, { name: "Zoe", slug: "zoe" });
  const { ids } = await db.transaction((tx) => findOrCreateNames(tx, "creator", ["Ada"]));
  const [id = ""] = ids;
  const [made] = await db.execute<{ slug: string }>(sql`SELECT slug FROM creators WHERE id = ${id}`);
  expect([id === ada.id, made?.slug]).toEqual([false, expect.stringMatching(/^ada-[0-9a-f]{8}$/)]);
  expect(await findMovedCreator(VISITOR, "ada")).toBe("zoe");
});
