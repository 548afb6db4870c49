import { type SQL, sql } from "drizzle-orm";
import { listDb } from "#db/client.server.ts";
import { searchTerms } from "../../lists/list-media.server.ts";
import { beyond, isDate, type Position, type SortKey } from "../../lists/paging.server.ts";
import { ITEMS_WITH_FAILED_ENCODING } from "../item/problems.server.ts";
import type { StudioFilters, StudioSort } from "./studio-filters.ts";

/**
 * Up to 5,000 rows of one term are looked up one by one. When they do not fill a page, the sets of whole terms
 * are intersected. Both take some ten milliseconds at 200,000 items.
 */
const WALK_LIMIT = 5_000;
const WITHOUT_PLAN = "-infinity";

const COLUMNS: Record<StudioSort, Omit<SortKey, "descending">> = {
  changed: { column: sql`t.changed_at`, cast: sql`timestamptz`, isValue: isDate },
  publishAt: {
    column: sql`t.publish_at`,
    cast: sql`timestamptz`,
    isValue: (text) => text === WITHOUT_PLAN || isDate(text),
  },
  title: { column: sql`t.title`, cast: sql`text`, isValue: () => true },
};

export function studioSortKey({ sort, direction }: Pick<StudioFilters, "sort" | "direction">): SortKey {
  return { ...COLUMNS[sort], descending: direction === "desc" };
}

export type Found = { id: string; sort_value: string };

/** The items of a page, each with its place in the order. */
export async function findPositions(filters: StudioFilters, position: Position): Promise<Found[]> {
  const words = filters.q ? searchTerms(filters.q) : [];
  const names = await termNames(filters, words ?? []);
  if (names === null) return [];
  const prefix = filters.state === "deleted" ? "deleted " : "";
  const terms = [...names, "all"].slice(0, Math.max(1, names.length)).map((name) => termOf(prefix, name));
  const [driver = termOf(prefix, "all"), ...others] = terms;
  const sets = [
    ...(words === null ? [matching(filters.q)] : []),
    ...(filters.problem === "encodingFailed" ? [ITEMS_WITH_FAILED_ENCODING] : []),
  ];
  if (sets.length > 0) return scan(driver, [...sets, ...others.map(withTerm)], position);
  if (others.length === 0) return walk(driver, position);
  return (await walkSome(driver, others, position)) ?? scan(driver, others.map(withTerm), position);
}

/** The rarest kinds first. Null when the creator or tag does not exist. */
async function termNames(filters: StudioFilters, words: string[]): Promise<string[] | null> {
  const { state, access, type } = filters;
  const problem = filters.problem === "encodingFailed" ? null : filters.problem;
  const [creator, tag] = [await idOf(sql`creators`, filters.creator), await idOf(sql`tags`, filters.tag)];
  if (creator === undefined || tag === undefined) return null;
  const named = Object.entries({ creator, tag, problem, state, access, type });
  return [
    ...words.map((word) => `word ${word}`),
    ...named.flatMap(([kind, value]) => (value ? `${kind} ${value}` : [])),
  ];
}

/** Undefined when nothing has the slug. Apart from the list's statement, so that the database knows the term when it plans. */
async function idOf(table: SQL, slug: string | null): Promise<string | null | undefined> {
  if (slug === null) return null;
  const [row] = await listDb.execute<{ id: string }>(sql`SELECT id FROM ${table} WHERE slug = ${slug}`);
  return row?.id;
}

/** Words are stored in lower case and without accents. */
function termOf(prefix: string, name: string): SQL {
  const term = sql`${`${prefix}${name}`}::text`;
  return name.startsWith("word ") ? sql`list_term(lower(f_unaccent(${term})))` : sql`list_term(${term})`;
}

function walk(driver: SQL, position: Position): Promise<Found[]> {
  return listDb.execute<Found>(sql`
    SELECT t.media_id AS id, ${position.key.column}::text AS sort_value FROM studio_terms t
    WHERE t.term = ${driver} ${beyond(position, sql`t.media_id`)}`);
}

/** Null when the page is not full after that many rows, and there are more. */
async function walkSome(driver: SQL, others: SQL[], position: Position): Promise<Found[] | null> {
  const { column } = position.key;
  const has = others.map(
    (term) => sql`COALESCE((SELECT true FROM studio_terms other
      WHERE other.media_id = walked.id AND other.term = ${term}), false)`,
  );
  const rows = await listDb.execute<(Found | { id: null }) & { walked: number }>(sql`
    WITH walked AS MATERIALIZED (
      SELECT t.media_id AS id, ${column} AS sort_value, row_number() OVER () AS place FROM (
        SELECT t.* FROM studio_terms t WHERE t.term = ${driver} ${beyond({ ...position, limit: WALK_LIMIT }, sql`t.media_id`)}
      ) t
    )
    SELECT found.id, found.sort_value::text AS sort_value, counted.walked
    FROM (SELECT count(*)::int AS walked FROM walked) counted LEFT JOIN (
      SELECT * FROM walked WHERE ${sql.join(has, sql` AND `)} ORDER BY place LIMIT ${position.limit}
    ) found ON true ORDER BY found.place`);
  const found = rows.filter((row): row is Found & { walked: number } => row.id !== null);
  const isWhole = found.length === position.limit || (rows[0]?.walked ?? 0) < WALK_LIMIT;
  return isWhole ? found : null;
}

function withTerm(term: SQL): SQL {
  return sql`SELECT media_id FROM studio_terms WHERE term = ${term}`;
}

function matching(search: string | null): SQL {
  return sql`SELECT id FROM media WHERE search @@ websearch_to_tsquery('simple', f_unaccent(${search}))`;
}

function scan(driver: SQL, sets: SQL[], position: Position): Promise<Found[]> {
  return listDb.execute<Found>(sql`
    WITH matching(id) AS MATERIALIZED (${sql.join(sets, sql` INTERSECT `)})
    SELECT t.media_id AS id, ${position.key.column}::text AS sort_value
    FROM studio_terms t JOIN matching ON matching.id = t.media_id
    WHERE t.term = ${driver} ${beyond(position, sql`t.media_id`)}`);
}
