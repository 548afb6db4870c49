import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { creators } from "#db/schema/catalog.ts";
import { CREATOR_SORTS, type CreatorSort } from "./creator-sort.ts";
import { listCreators } from "./creators.server.ts";
import { encodeCursor } from "./cursor.server.ts";

const COUNT = 60;

/** Names, dates and numbers that are the same for several, and some without any work. */
await db.insert(creators).values(
  Array.from({ length: COUNT }, (_, n) => ({
    slug: `creator-${n}`,
    name: `${n % 2 ? "a" : "A"}nn ${n % 7}`,
    videoCount: n % 5,
    photoSetCount: n % 13,
    newestAt: n % 4 === 0 ? null : new Date(Date.UTC(2026, 0, 1 + (n % 9), 0, 0, 0, n % 3)),
  })),
);

async function walk(sort: CreatorSort, way: "next" | "previous", from: string | null): Promise<string[]> {
  const names: string[] = [];
  for (let place = from; ; ) {
    const at = way === "next" ? { after: place, before: null } : { after: null, before: place };
    const page = await listCreators({ q: null, sort, ...at });
    const slugs = page.creators.map(({ slug }) => slug);
    names.push(...(way === "next" ? slugs : slugs.toReversed()));
    place = page[way];
    if (place === null) return names;
  }
}

test.each(CREATOR_SORTS)("every creator is there once by %s, forwards and back", async (sort) => {
  const forwards = await walk(sort, "next", null);
  expect(new Set(forwards).size).toBe(COUNT);
  expect(forwards).toHaveLength(COUNT);
  const second = (await listCreators({ q: null, sort, after: null, before: null })).next;
  const third = (await listCreators({ q: null, sort, after: second, before: null })).next;
  const end = await listCreators({ q: null, sort, after: third, before: null });
  const back = await walk(sort, "previous", end.previous);
  expect(back.toReversed()).toEqual(forwards.slice(0, back.length));
  expect(back).toHaveLength(COUNT - end.creators.length);
});

test.each(CREATOR_SORTS)("a place that is none counts as the first page by %s", async (sort) => {
  const first = await listCreators({ q: null, sort, after: null, before: null });
  for (const value of ["", "x'; --", "2026-13-45 99:99:99+00", "9".repeat(300)]) {
    const after = encodeCursor([value, crypto.randomUUID()]);
    const page = await listCreators({ q: null, sort, after, before: null });
    if (sort !== "name") expect(page).toEqual(first);
    expect(page.creators.length).toBeLessThanOrEqual(24);
  }
});
