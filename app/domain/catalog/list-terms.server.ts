import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import type { FilterOption, FilterOptions } from "./filter-options.server.ts";
import type { ListFilters } from "./list-filters.ts";

/** Every listed media has it. */
export const ALL = sql`list_term('all')`;

/** What a list is narrowed by: each of its media has all of these terms. Made by refresh_media_terms() in the migrations. */
export function termsOf(filters: ListFilters, words: string[], options: FilterOptions): SQL[] {
  const terms = words.map((word) => sql`list_term('word ' || lower(f_unaccent(${word})))`);
  const facet = [
    ...named("creator", filters.creator, options.creators, sql`creators`),
    ...named("tag", filters.tag, options.tags, sql`tags`),
  ];
  const kind = [
    ...(filters.access ? [sql`${`access ${filters.access}`}`] : []),
    ...(filters.length ? [sql`${`length ${filters.length}`}`] : []),
  ];
  for (const names of [facet, kind]) {
    if (names.length > 0) terms.push(sql`list_term(${sql.join(names, sql` || ' ' || `)})`);
  }
  return terms;
}

/**
 * The part of all listed media that has each term, 0 to 1, as PostgreSQL's own statistics tell it: those of the most
 * common terms, while whatever is rarer counts as 0. One cheap statement, however large the catalogue.
 */
export async function sharesOf(terms: SQL[]): Promise<number[]> {
  const asked = [ALL, ...terms].map((term, index) => sql`SELECT ${index}::int AS index, ${term} AS term`);
  const rows = await db.execute<{ index: number; frequency: number }>(sql`
    SELECT asked.index, frequency FROM (${sql.join(asked, sql` UNION ALL `)}) asked
    JOIN (
      SELECT unnest(most_common_vals::text::bigint[]) AS term, unnest(most_common_freqs)::float8 AS frequency
      FROM pg_stats WHERE schemaname = current_schema() AND tablename = 'media_terms' AND attname = 'term'
    ) common USING (term)
  `);
  const frequencies = new Map(rows.map(({ index, frequency }) => [index, frequency]));
  const all = frequencies.get(0) ?? 1;
  return terms.map((_, index) => (frequencies.get(index + 1) ?? 0) / all);
}

/** True for rows whose media has the term, in a form that the planner cannot turn into reading all that have it. */
export function hasTerm(mediaId: SQL, term: SQL): SQL {
  return sql`COALESCE((SELECT true FROM media_terms other
    WHERE other.media_id = ${mediaId} AND other.term = ${term}), false)`;
}

/** A known id lets the database judge how common it is; an unknown slug makes the term NULL, which nothing has. */
function named(kind: string, slug: string | null, options: FilterOption[], table: SQL): SQL[] {
  if (!slug) return [];
  const known = options.find((option) => option.slug === slug);
  return known
    ? [sql`${`${kind} ${known.id}`}::text`]
    : [sql`(SELECT ${`${kind} `}::text || id::text FROM ${table} WHERE slug = ${slug})`];
}
