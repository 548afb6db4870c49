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
const options = remembered<FilterOptions>(LIFETIME_MS);

/** What the two menus of a list's form offer, by name; a minute old at most. */
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
        ) ORDER BY name LIMIT ${OPTIONS_LIMIT}
      ) t), '[]') AS tags
  `);
  return row ?? { creators: [], tags: [] };
}
