import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { AccessViewer } from "#app/domain/access/access.ts";
import { db } from "#db/client.server.ts";
import { creators } from "#db/schema/catalog.ts";
import { CREATOR_SORTS, type CreatorSort } from "../lists/list-filters.ts";
import { encodeCursor } from "../lists/paging.server.ts";
import { findCreator, listCreators } from "./creators.server.ts";

const COUNT = 60;
const VISITOR: AccessViewer = { isAdult: true, user: null, subscription: null };
const EDITOR: AccessViewer = { ...VISITOR, user: { role: "editor" } };

const viewers: { who: string; viewer: AccessViewer; count: number }[] = [
  { who: "a visitor", viewer: VISITOR, count: COUNT - 2 },
  { who: "an editor", viewer: EDITOR, count: COUNT },
];
const cases = viewers.flatMap((one) => CREATOR_SORTS.map((sort) => ({ ...one, sort })));

await db.insert(creators).values(
  Array.from({ length: COUNT }, (_, n) => ({
    slug: `creator-${n}`,
    name: `${n % 2 ? "a" : "A"}nn ${n % 7}`,
    videoCount: n < 2 ? 0 : n % 5,
    photoSetCount: n < 2 ? 0 : 1 + (n % 13),
    newestAt: n < 2 || n % 4 === 0 ? null : new Date(Date.UTC(2026, 0, 1 + (n % 9), 0, 0, 0, n % 3)),
  })),
);

async function walk(
  viewer: AccessViewer,
  sort: CreatorSort,
  way: "next" | "previous",
  from: string | null,
): Promise<string[]> {
  const names: string[] = [];
  for (let position = from; ; ) {
    const at = way === "next" ? { after: position, before: null } : { after: null, before: position };
    const page = await listCreators(viewer, { q: null, sort, ...at });
    const slugs = page.creators.map(({ slug }) => slug);
    names.push(...(way === "next" ? slugs : slugs.toReversed()));
    position = page[way];
    if (position === null) return names;
  }
}

test.each(cases)(
  "$who sees every creator they may see exactly once by $sort, forwards and backwards",
  async ({ viewer, sort, count }) => {
    const forwards = await walk(viewer, sort, "next", null);
    expect(new Set(forwards).size).toBe(count);
    expect(forwards).toHaveLength(count);
    const second = (await listCreators(viewer, { q: null, sort, after: null, before: null })).next;
    const third = (await listCreators(viewer, { q: null, sort, after: second, before: null })).next;
    const end = await listCreators(viewer, { q: null, sort, after: third, before: null });
    const back = await walk(viewer, sort, "previous", end.previous);
    expect(back.toReversed()).toEqual(forwards.slice(0, back.length));
    expect(back).toHaveLength(count - end.creators.length);
  },
);

test("a creator without published media is in no search and has no page, except for staff", async () => {
  const names = async (viewer: AccessViewer, q: string) =>
    (await listCreators(viewer, { q, sort: "name", after: null, before: null })).creators.map(
      ({ slug }) => slug,
    );
  await db.insert(creators).values({ slug: "unseen-zoe", name: "Unseen Zoe", aliases: ["Quartz"] });
  for (const q of ["Unseen Zoe", "quartz"]) {
    expect(await names(VISITOR, q)).toEqual([]);
    expect(await names(EDITOR, q)).toEqual(["unseen-zoe"]);
  }
  expect(await findCreator(VISITOR, "unseen-zoe")).toBeNull();
  expect(await findCreator(EDITOR, "unseen-zoe")).toMatchObject({ name: "Unseen Zoe" });
  await db.delete(creators).where(eq(creators.slug, "unseen-zoe"));
});

test.each(CREATOR_SORTS)("an invalid cursor counts as the first page by %s", async (sort) => {
  const first = await listCreators(VISITOR, { q: null, sort, after: null, before: null });
  for (const value of ["", "x'; --", "2026-13-45 99:99:99+00", "9".repeat(300)]) {
    const after = encodeCursor([value, crypto.randomUUID()]);
    const page = await listCreators(VISITOR, { q: null, sort, after, before: null });
    if (sort !== "name") expect(page).toEqual(first);
    expect(page.creators.length).toBeLessThanOrEqual(24);
  }
});
