import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { rankTags } from "../media/counts.server.ts";
import { listShownOptions } from "./filter-options.server.ts";

const NOTHING = { creator: null, tag: null };
const slugs = (options: { slug: string }[]) => options.map(({ slug }) => slug);
let rare = { id: "", slug: "", name: "" };

beforeAll(async () => {
  const tags = Array.from({ length: 202 }, (_, index) => `Tag ${String(index).padStart(3, "0")}`);
  const { id } = await createCreator({ name: "Ann" });
  await createVideo({ creators: [id], tags });
  await createVideo({ creators: [id], tags: tags.slice(-1) });
  await rankTags();
  await db.execute(sql`
    INSERT INTO creators (slug, name, video_count) SELECT 'many-' || n, 'Many ' || n, 9 FROM generate_series(1, 200) n`);
  rare = await createCreator({ name: "Mab" });
  await createVideo({ creators: [rare.id] });
});

test("up to 200 creators and 200 tags are offered: the most used, sorted by name", async () => {
  const { creators, tags } = await listShownOptions("video", NOTHING);
  expect([creators.length, tags.length]).toEqual([200, 200]);
  expect(slugs(tags).at(-1)).toBe("tag-201");
  expect(slugs(tags)).not.toContain("tag-200");
  expect(slugs(tags)).toEqual(slugs(tags).toSorted());
  expect(slugs(creators)).not.toContain(rare.slug);
});

test("a chosen name beyond the limit is added in its alphabetical place", async () => {
  const { creators, tags } = await listShownOptions("video", { creator: rare.slug, tag: "tag-200" });
  expect(creators[0]).toMatchObject({ slug: rare.slug, name: "Mab" });
  expect(slugs(tags).slice(-2)).toEqual(["tag-200", "tag-201"]);
  expect((await listShownOptions("video", NOTHING)).tags).toHaveLength(200);
});

test("names with an accent stand where readers look for them", async () => {
  const names = ["Élise", "Zara"];
  for (const name of names.toReversed()) {
    const { id } = await createCreator({ name });
    await createPhotoSet({ title: name, creators: [id], tags: [name] });
  }
  const { creators, tags } = await listShownOptions("photoSet", NOTHING);
  expect([creators.map(({ name }) => name), tags.map(({ name }) => name)]).toEqual([names, names]);
});

test("a chosen name that only hidden or expired items have is not shown", async () => {
  const zoe = await createCreator({ name: "Zoe" });
  const own = { creators: [zoe.id], tags: ["Unreleased"] };
  await createVideo({ ...own, status: "draft" });
  await createVideo({ ...own, status: "takenDown" });
  const over = await createVideo({ ...own });
  await db.execute(sql`UPDATE media SET expire_at = now() - interval '1 s' WHERE id = ${over.id}`);
  await db.execute(sql`UPDATE creators SET video_count = 0 WHERE id = ${zoe.id}`);
  const { creators, tags } = await listShownOptions("video", { creator: zoe.slug, tag: "unreleased" });
  expect(slugs(creators)).not.toContain(zoe.slug);
  expect(slugs(tags)).not.toContain("unreleased");
});

test("a chosen name that does not exist adds nothing", async () => {
  const { creators, tags } = await listShownOptions("video", { creator: "nobody", tag: "nothing" });
  expect([creators.length, tags.length]).toEqual([200, 200]);
});
