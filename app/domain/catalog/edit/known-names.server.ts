import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

interface KnownName {
  slug: string;
  name: string;
}

/** A browser stays quick with this many suggestions. Other names are typed. */
const NAMES_LIMIT = 1_000;

/** All creators and tags, used or not, by name. */
export async function listKnownNames(): Promise<{ creators: KnownName[]; tags: KnownName[] }> {
  const [row] = await db.execute<{ creators: KnownName[]; tags: KnownName[] }>(sql`
    SELECT ${namesIn(sql`creators`)} AS creators, ${namesIn(sql`tags`)} AS tags`);
  return row ?? { creators: [], tags: [] };
}

function namesIn(table: ReturnType<typeof sql>) {
  return sql`COALESCE((SELECT jsonb_agg(jsonb_build_object('slug', slug, 'name', name) ORDER BY lower(name)) FROM (
    SELECT slug, name FROM ${table} ORDER BY lower(name) LIMIT ${NAMES_LIMIT}) known), '[]')`;
}
