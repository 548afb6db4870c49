// Names are read ahead, because the first list of each minute would wait for one more statement: decision 146.
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { readOne, text } from "#db/rows.ts";
import { createCache, createRefreshed, createSignedOutCache } from "../media/cache.server.ts";
import { USES } from "../media/counts.server.ts";
import { movedSlug } from "../media/former-slugs.server.ts";
import { hasPublished, isLive, published } from "../media/visibility.server.ts";

const FilterOption = z.object({ id: text, slug: text, name: text });
export type FilterOption = z.infer<typeof FilterOption>;
const FilterOptions = z.object({ creators: z.array(FilterOption), tags: z.array(FilterOption) });
export type FilterOptions = z.infer<typeof FilterOptions>;
const ChosenOptions = z.object({ creator: FilterOption.nullable(), tag: FilterOption.nullable() });
const Chosen = z.object({ creator: text.nullable(), tag: text.nullable() });
type Chosen = z.infer<typeof Chosen>;

const LIFETIME_MS = 60_000;
const OPTIONS_LIMIT = 200;
const options = {
  video: createRefreshed(LIFETIME_MS, () => readOptions("video")),
  photoSet: createRefreshed(LIFETIME_MS, () => readOptions("photoSet")),
};
/** A database in C.UTF-8 puts "Élise" after "Zoe". */
const byName = new Intl.Collator("en").compare;
const chosenOptions = createCache<z.infer<typeof ChosenOptions>>(LIFETIME_MS);

const asOption = sql`jsonb_build_object('id', id, 'slug', slug, 'name', name)`;

/** Selects the live items of a row of tags. */
const tagged = (tag: SQL) => sql`SELECT FROM media_tags l JOIN media m ON m.id = l.media_id
  WHERE l.tag_id = ${tag}.id AND ${isLive}`;

export async function listShownOptions(type: MediaType, chosen: Chosen): Promise<FilterOptions> {
  const offered = await listFilterOptions(type);
  const creator = missing(offered.creators, chosen.creator);
  const tag = missing(offered.tags, chosen.tag);
  if (creator === null && tag === null) return offered;
  const found = await chosenOptions(JSON.stringify([creator, tag]), () => readChosen({ creator, tag }));
  return { creators: withOne(offered.creators, found.creator), tags: withOne(offered.tags, found.tag) };
}

export function listFilterOptions(type: MediaType): Promise<FilterOptions> {
  return options[type]();
}

async function readOptions(type: MediaType): Promise<FilterOptions> {
  const { creators, tags } = await readOne(db, FilterOptions)`
    SELECT
      COALESCE((SELECT jsonb_agg(${asOption}) FROM (
        SELECT id, slug, name FROM creators n WHERE ${USES.creator[type]} > 0
        ORDER BY ${USES.creator[type]} DESC LIMIT ${OPTIONS_LIMIT}
      ) c), '[]') AS creators,
      COALESCE((SELECT jsonb_agg(${asOption}) FROM (
        SELECT id, slug, name FROM tags n WHERE EXISTS (${tagged(sql`n`)} AND m.type = ${type})
        ORDER BY ${USES.tag[type]} DESC, name LIMIT ${OPTIONS_LIMIT}
      ) tag), '[]') AS tags
  `;
  return { creators: sorted(creators), tags: sorted(tags) };
}

function readChosen({ creator, tag }: Chosen) {
  return readOne(db, ChosenOptions)`
    SELECT
      (SELECT ${asOption} FROM creators c
        WHERE slug = ${creator} AND ${hasPublished}) AS creator,
      (SELECT ${asOption} FROM tags
        WHERE slug = ${tag} AND EXISTS (${tagged(sql`tags`)})) AS tag
  `;
}

const moved = createSignedOutCache<Chosen>();

/**
 * The present slugs of a creator and a tag that were chosen by a former slug. Null if neither was, or if what it names has
 * nothing published.
 */
export async function findMovedFilters(
  viewer: { user: object | null },
  { creator, tag }: Chosen,
): Promise<Record<string, string> | null> {
  if (creator === null && tag === null) return null;
  const found = await moved(viewer, [creator, tag], () => readMoved({ creator, tag }));
  const slugs = Object.entries(found).flatMap(([name, slug]) => (slug === null ? [] : [[name, slug]]));
  return slugs.length === 0 ? null : Object.fromEntries(slugs);
}

function readMoved({ creator, tag }: Chosen): Promise<Chosen> {
  const isListed = sql`EXISTS (${tagged(sql`n`)})`;
  return readOne(db, Chosen)`
    SELECT ${creator === null ? sql`NULL` : movedSlug("creator", creator, published(sql`n`))} AS creator,
      ${tag === null ? sql`NULL` : movedSlug("tag", tag, isListed)} AS tag`;
}

function missing(offered: FilterOption[], slug: string | null): string | null {
  return offered.some((option) => option.slug === slug) ? null : slug;
}

function withOne(offered: FilterOption[], one: FilterOption | null): FilterOption[] {
  return one === null ? offered : sorted([...offered, one]);
}

function sorted(found: FilterOption[]): FilterOption[] {
  return found.toSorted((a, b) => byName(a.name, b.name));
}
