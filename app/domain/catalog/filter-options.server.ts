import { sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { remembered } from "./remembered.server.ts";

export interface FilterOption {
  id: string;
  slug: string;
  name: string;
}

export interface FilterOptions {
  creators: FilterOption[];
  tags: FilterOption[];
}

const LIFETIME_MS = 60_000;
const OPTIONS_LIMIT = 200;
/** Enough to tell a common tag from a rare one without counting a whole catalogue. */
const USES_COUNTED = 1000;
const options = remembered<FilterOptions>(LIFETIME_MS);
const chosenOptions = remembered<ChosenOptions>(LIFETIME_MS);

interface ChosenOptions {
  creator: FilterOption | null;
  tag: FilterOption | null;
}

/** Slugs. */
interface Chosen {
  creator: string | null;
  tag: string | null;
}

/** What the two menus show: what they offer to everybody, and always what is chosen. */
export async function listShownOptions(type: MediaType, chosen: Chosen): Promise<FilterOptions> {
  const offered = await listFilterOptions(type);
  const creator = missing(offered.creators, chosen.creator);
  const tag = missing(offered.tags, chosen.tag);
  if (creator === null && tag === null) return offered;
  const found = await chosenOptions(JSON.stringify([creator, tag]), () => readChosen({ creator, tag }));
  return { creators: withOne(offered.creators, found.creator), tags: withOne(offered.tags, found.tag) };
}

/** What the two menus offer to everybody, the most used ones by name; a minute old at most. */
export function listFilterOptions(type: MediaType): Promise<FilterOptions> {
  return options(type, () => readOptions(type));
}

async function readOptions(type: MediaType): Promise<FilterOptions> {
  const count = type === "video" ? sql`video_count` : sql`photo_set_count`;
  const [row] = await db.execute<{ creators: FilterOption[]; tags: FilterOption[] }>(sql`
    SELECT
      COALESCE((SELECT jsonb_agg(jsonb_build_object('id', id, 'slug', slug, 'name', name) ORDER BY lower(name)) FROM (
        SELECT id, slug, name FROM creators WHERE ${count} > 0 ORDER BY ${count} DESC LIMIT ${OPTIONS_LIMIT}
      ) c), '[]') AS creators,
      COALESCE((SELECT jsonb_agg(jsonb_build_object('id', id, 'slug', slug, 'name', name) ORDER BY lower(name)) FROM (
        SELECT id, slug, name FROM tags t WHERE EXISTS (
          SELECT FROM media_terms listed WHERE listed.term = list_term('tag ' || t.id) AND listed.type = ${type}
            AND listed.publish_at <= now()
        ) ORDER BY (
          SELECT count(*) FROM (
            SELECT FROM media_terms listed WHERE listed.term = list_term('tag ' || t.id) AND listed.type = ${type}
              AND listed.publish_at <= now() LIMIT ${USES_COUNTED}
          ) used
        ) DESC, name LIMIT ${OPTIONS_LIMIT}
      ) t), '[]') AS tags
  `);
  return row ?? { creators: [], tags: [] };
}

async function readChosen({ creator, tag }: Chosen): Promise<ChosenOptions> {
  const [row] = await db.execute<{ creator: FilterOption | null; tag: FilterOption | null }>(sql`
    SELECT
      (SELECT jsonb_build_object('id', id, 'slug', slug, 'name', name) FROM creators WHERE slug = ${creator}) AS creator,
      (SELECT jsonb_build_object('id', id, 'slug', slug, 'name', name) FROM tags WHERE slug = ${tag}) AS tag
  `);
  return row ?? { creator: null, tag: null };
}

function missing(offered: FilterOption[], slug: string | null): string | null {
  return offered.some((option) => option.slug === slug) ? null : slug;
}

function withOne(offered: FilterOption[], one: FilterOption | null): FilterOption[] {
  if (one === null) return offered;
  const order = new Intl.Collator("en");
  return [...offered, one].sort((a, b) => order.compare(a.name, b.name));
}
