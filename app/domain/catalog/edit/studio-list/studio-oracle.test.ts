import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { ACCESSES } from "#app/domain/access/access.ts";
import { allowLongStatements, db } from "#db/client.server.ts";
import {
  anySearch,
  isFoundPlainly,
  type PlainSearch,
  typedSearch,
} from "#tests/support/catalog/plain-search.ts";
import { createCreator, createVideo } from "#tests/support/media.ts";
import { fc } from "#tests/support/seed.ts";
import { findProblems } from "../problems/problems.server.ts";
import { PROBLEMS } from "../problems/problems.ts";
import { DIRECTIONS, STUDIO_SORTS, STUDIO_STATES, type StudioFilters } from "./studio-filters.ts";
import { listMatching, listStudioMedia } from "./studio-list.server.ts";

const ITEMS = 3_000;
const TYPES = ["video", "photoSet"] as const;
/** Of titles and descriptions, names, an alias and tags, and of nothing. */
const SEARCHED = [
  ...["silk", "river", "Rivér", "glass", "dusk", "missing", "silk light", "light silk"],
  ...["ann", "bo", "night jar", "jar", "slow", "noon", "slow light", "noon slow"],
];

interface Plain extends Record<string, unknown> {
  id: string;
  type: string;
  shown_state: string;
  access: string;
  title_key: string;
  changed: string;
  planned: string;
  texts: string[];
  creators: string[];
  tags: string[];
  problems: string[];
}

allowLongStatements();
const creators = [
  await createCreator({ name: "Ann", aliases: ["Night Jar"] }),
  await createCreator({ name: "Bo" }),
];
// Two items of three share their times, so that the id decides.
await db.execute(sql`SELECT setseed(0.42)`);
await db.execute(sql`
  INSERT INTO media (type, short_id, slug, title, description, status, access, publish_at, expire_at, produced_on,
    publish_problem, updated_at)
  SELECT CASE WHEN random() < 0.5 THEN 'video' ELSE 'photoSet' END::media_type, 's' || lpad(n::text, 7, '0'), 'x',
    (ARRAY['silk', 'Rivér', 'light', 'Glass', 'or'])[1 + floor(5 * random())] || ' '
      || (ARRAY['silk', 'Rivér', 'light', 'Glass', 'or'])[1 + floor(5 * random())],
    (ARRAY['About silk', 'About dusk', ''])[1 + floor(3 * random())], s.status,
    (ARRAY['free', 'member', 'subscriber'])[1 + floor(3 * random())]::media_access,
    CASE WHEN s.status <> 'draft' THEN now() - floor(40 * random()) * interval '1 day' END,
    CASE WHEN random() < 0.2 THEN now() + (random() - 0.5) * interval '20 days' END,
    CASE WHEN random() < 0.5 THEN '2026-05-31'::date END,
    CASE WHEN random() < 0.1 THEN 'No files.' END, now() - floor(60 * random()) * interval '1 hour'
  FROM generate_series(1, ${ITEMS}::int) n CROSS JOIN LATERAL (
    SELECT (ARRAY['draft', 'draft', 'scheduled', 'published', 'published', 'published', 'hidden', 'takenDown', 'deleted'])
      [1 + (n + floor(9 * random())::int) % 9]::media_status AS status
  ) s`);
await db.execute(sql`INSERT INTO videos (media_id, has_audio) SELECT id, random() < 0.5 FROM media
  WHERE type = 'video' ON CONFLICT DO NOTHING`);
await db.execute(sql`INSERT INTO media_creators (media_id, creator_id)
  SELECT m.id, c.id FROM media m, creators c
  WHERE abs(hashtext(m.short_id || c.name)) % 100 < CASE c.name WHEN 'Ann' THEN 50 ELSE 2 END`);
await db.execute(sql`INSERT INTO tags (slug, name) VALUES ('slow-light', 'Slow light'), ('noon', 'Noon')`);
await db.execute(
  sql`INSERT INTO media_tags (media_id, tag_id) SELECT m.id, t.id FROM media m, tags t WHERE random() < 0.3`,
);
await db.execute(sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs)
  SELECT m.id, name, m.id || name, 'x/x', 1, '', 0, 'view' FROM media m, unnest(ARRAY['cover-480.avif', 'captions-en.vtt']) name
  WHERE random() < 0.6`);
await db.execute(
  sql`INSERT INTO media_encodings (media_id) SELECT id FROM media WHERE type = 'video' AND random() < 0.1`,
);
await db.execute(sql`INSERT INTO media_work (media_id, step, position, state)
  SELECT media_id, step, 1, CASE WHEN random() < 0.5 THEN 'failed' ELSE 'done' END::media_work_state
  FROM media_encodings, unnest(ARRAY['hover', 'sprite']) step`);

type Asked = Omit<StudioFilters, "q"> & { search: PlainSearch | null };

async function readPlainly(): Promise<Plain[]> {
  return db.execute<Plain>(sql`
    SELECT m.id, m.type, m.access, left(lower(f_unaccent(m.title)), 100) AS title_key,
      CASE WHEN m.status = 'published' AND m.expire_at <= now() THEN 'expired' ELSE m.status::text END AS shown_state,
      to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS changed,
      COALESCE(to_char(m.publish_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), '') AS planned,
      to_jsonb(ARRAY[m.title, m.description]
        || ARRAY(SELECT unnest(c.name || c.aliases) FROM media_creators JOIN creators c ON c.id = creator_id WHERE media_id = m.id)
        || ARRAY(SELECT t.name FROM media_tags JOIN tags t ON t.id = tag_id WHERE media_id = m.id)) AS texts,
      to_jsonb(ARRAY(SELECT c.slug FROM media_creators JOIN creators c ON c.id = creator_id WHERE media_id = m.id)) AS creators,
      to_jsonb(ARRAY(SELECT t.slug FROM media_tags JOIN tags t ON t.id = tag_id WHERE media_id = m.id)) AS tags,
      to_jsonb(CASE WHEN m.status IN ('takenDown', 'deleted') THEN '{}' ELSE array_remove(ARRAY[
        CASE WHEN m.id NOT IN (SELECT media_id FROM media_creators) THEN 'noCredit' END,
        CASE WHEN m.id NOT IN (SELECT media_id FROM media_files WHERE name LIKE 'cover-%') THEN 'noCover' END,
        CASE WHEN m.produced_on IS NULL THEN 'noProductionDate' END,
        CASE WHEN m.id IN (SELECT media_id FROM videos WHERE has_audio)
          AND m.id NOT IN (SELECT media_id FROM media_files WHERE name LIKE 'captions-%') THEN 'missingCaptions' END,
        CASE WHEN m.publish_problem IS NOT NULL THEN 'publishFailed' END,
        CASE WHEN m.id IN (SELECT media_id FROM media_work WHERE state = 'failed') THEN 'encodingFailed' END
      ], NULL) END) AS problems
    FROM media m`);
}

const KEYS: Record<StudioFilters["sort"], (item: Plain) => string> = {
  changed: ({ changed }) => changed,
  publishAt: ({ planned }) => planned,
  title: ({ title_key }) => title_key,
};

function listPlainly(all: Plain[], { search, ...filters }: Asked): string[] {
  const key = KEYS[filters.sort];
  const sign = filters.direction === "asc" ? 1 : -1;
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return all
    .filter(
      (item) =>
        (filters.state ? item.shown_state === filters.state : item.shown_state !== "deleted") &&
        (!filters.type || item.type === filters.type) &&
        (!filters.access || item.access === filters.access) &&
        (!filters.creator || item.creators.includes(filters.creator)) &&
        (!filters.tag || item.tags.includes(filters.tag)) &&
        (!filters.problem || item.problems.includes(filters.problem)) &&
        (search === null || isFoundPlainly(search, item.texts)),
    )
    .sort((a, b) => sign * (compare(key(a), key(b)) || compare(a.id, b.id)))
    .map(({ id }) => id);
}

function filtersOf({ search, ...filters }: Asked): StudioFilters {
  return { ...filters, q: search && typedSearch(search) };
}

async function listAllPages(asked: Asked): Promise<string[]> {
  const filters = filtersOf(asked);
  const pages: string[][] = [];
  let after: string | null = null;
  let last: string | null = null;
  do {
    const page = await listStudioMedia(filters, { after, before: null });
    pages.push(page.items.map(({ id }) => id));
    after = page.next;
    last = page.previous;
  } while (after !== null);
  if (last !== null) {
    const back = await listStudioMedia(filters, { after: null, before: last });
    expect(back.items.map(({ id }) => id)).toEqual(pages.at(-2));
  }
  return pages.flat();
}

const orNull = <Value>(...values: readonly Value[]) => fc.constantFrom(null, null, ...values);
const anyFilters: fc.Arbitrary<Asked> = fc.record({
  search: fc.option(anySearch(SEARCHED)),
  state: orNull(...STUDIO_STATES),
  type: orNull(...TYPES),
  creator: orNull(...creators.map(({ slug }) => slug), "nobody"),
  tag: orNull("slow-light", "noon"),
  access: orNull(...ACCESSES),
  problem: orNull(...PROBLEMS),
  sort: fc.constantFrom(...STUDIO_SORTS),
  direction: fc.constantFrom(...DIRECTIONS),
});
const PLAIN: Asked = {
  ...{ search: null, state: null, type: null, creator: null, tag: null, access: null, problem: null },
  sort: "changed",
  direction: "desc",
};

test("any filters in any order list the same items as filtering and sorting everything in memory", async () => {
  const all = await readPlainly();
  expect(all.length).toBeGreaterThanOrEqual(ITEMS);
  await fc.assert(
    fc.asyncProperty(anyFilters, async (filters) => {
      expect(await listAllPages(filters)).toEqual(listPlainly(all, filters));
    }),
    { numRuns: 120 },
  );
});

test("the list shows each item's problems by the same rules as its own page", async () => {
  const { items } = await listStudioMedia(filtersOf(PLAIN));
  for (const { id, problems } of items) expect(problems).toEqual(await findProblems(id));
  expect(new Set(items.flatMap(({ problems }) => problems)).size).toBeGreaterThan(3);
});

test("matching items come in the order of the list, and no more of them than requested", async () => {
  const all = await readPlainly();
  const filters = { ...PLAIN, tag: "noon", type: "video" } as const;
  const expected = listPlainly(all, filters);
  expect(await listMatching(filtersOf(filters), 101)).toEqual(expected.slice(0, 101));
  expect(await listMatching(filtersOf(filters), 1_001)).toEqual(expected.slice(0, 1_001));
});

test("files that come and go change an item's problems in the list", async () => {
  const { id } = await createVideo();
  const has = async (problem: "noCover" | "missingCaptions") => {
    const found = await listMatching(filtersOf({ ...PLAIN, problem }), 10_000);
    return found.includes(id);
  };
  expect([await has("noCover"), await has("missingCaptions")]).toEqual([false, true]);
  await db.execute(sql`DELETE FROM media_files WHERE media_id = ${id} AND name LIKE 'cover-%'`);
  await db.execute(sql`UPDATE videos SET has_audio = false WHERE media_id = ${id}`);
  expect([await has("noCover"), await has("missingCaptions")]).toEqual([true, false]);
});

test("an item that expires by the clock is listed as expired at once", async () => {
  const { id } = await createVideo({ expireAt: new Date(Date.now() + 1_000) });
  const inState = async (state: "published" | "expired") =>
    (await listMatching(filtersOf({ ...PLAIN, state }), 10_000)).includes(id);
  expect([await inState("published"), await inState("expired")]).toEqual([true, false]);
  await expect
    .poll(async () => [await inState("published"), await inState("expired")])
    .toEqual([false, true]);
});
