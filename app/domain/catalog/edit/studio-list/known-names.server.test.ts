import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createCreator, createVideo } from "#tests/support/media.ts";
import { resolveNames, suggestNames } from "./known-names.server.ts";
import { parseStudioFilters } from "./studio-filters.ts";
import { listStudioMedia } from "./studio-list.server.ts";

/** More than any field suggests. */
const CROWD = 1_200;

const resolve = (query: Record<string, string>) =>
  resolveNames(parseStudioFilters(new URLSearchParams(query)));

await db.execute(sql`INSERT INTO creators (slug, name, video_count)
  SELECT 'crowd-' || n, 'Crowd ' || n, 9 FROM generate_series(1, ${CROWD}::int) n`);
await db.execute(sql`INSERT INTO tags (slug, name, video_uses)
  SELECT 'crowded-' || n, 'Crowded ' || n, 9 FROM generate_series(1, ${CROWD}::int) n`);
const noor = await createCreator({ name: "Noor Sablé", aliases: ["Nora S"] });
const video = await createVideo({ creators: [noor.id], tags: ["Zinc light"] });

const QUERIES: Record<string, string>[] = [
  { creator: "noor sablé" },
  { creator: noor.slug },
  { creator: " NORA S " },
  { tag: "zinc LIGHT" },
  { tag: "zinclight" },
];
test.each(QUERIES)("%j finds the item, however many other names there are", async (query) => {
  const { filters } = await resolve(query);
  expect((await listStudioMedia(filters)).items.map(({ id }) => id)).toEqual([video.id]);
});

test("part of a name finds no item, but suggests the names that contain it", async () => {
  const { filters, creator } = await resolve({ creator: "sable" });
  expect((await listStudioMedia(filters)).items).toEqual([]);
  expect(creator).toMatchObject({ text: "sable", found: null, similar: [{ slug: noor.slug }] });
  expect((await resolve({ tag: "crowded" })).tag?.similar).toHaveLength(8);
  expect((await resolve({ tag: "%" })).tag).toMatchObject({ found: null, similar: [] });
});

test("a field shows the name of a slug, and the slug where two creators share a name", async () => {
  expect((await resolve({ creator: noor.slug })).creator?.text).toBe("Noor Sablé");
  await db.execute(sql`INSERT INTO creators (slug, name) VALUES ('twin-1', 'Twin'), ('twin-2', 'twin')`);
  for (const slug of ["twin-1", "twin-2"]) {
    expect((await resolve({ creator: slug })).creator).toMatchObject({ text: slug, found: { slug } });
  }
});

test("a page carries a hundred suggestions of each kind, and no filter without a text", async () => {
  const { creators, tags } = await suggestNames();
  expect([creators.length, tags.length]).toEqual([100, 100]);
  expect(await resolve({ creator: "", tag: " " })).toMatchObject({ creator: null, tag: null });
});
