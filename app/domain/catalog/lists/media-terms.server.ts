import { type SQL, sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { isLive, isLiveTerm } from "../media/visibility.server.ts";
import type { FilterOption, FilterOptions } from "./filter-options.server.ts";
import type { ListFilters } from "./list-filters.ts";
import type { Order } from "./list-orders.ts";
import { beyond, type Position } from "./paging.server.ts";

export const ALL = sql`list_term('all')`;

/** All of these terms are on each media of the list; refresh_media_terms() in the migrations writes them. */
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

/** Shares of listed media, 0 to 1. Statistics hold only the most common terms, so rarer ones count as 0. */
export async function sharesOf(terms: SQL[]): Promise<number[]> {
  const wanted = [ALL, ...terms].map((term, index) => sql`SELECT ${index}::int AS index, ${term} AS term`);
  const rows = await db.execute<{ index: number; frequency: number }>(sql`
    SELECT wanted.index, frequency FROM (${sql.join(wanted, sql` UNION ALL `)}) wanted
    JOIN (
      SELECT unnest(most_common_vals::text::bigint[]) AS term, unnest(most_common_freqs)::float8 AS frequency
      FROM pg_stats WHERE schemaname = current_schema() AND tablename = 'media_terms' AND attname = 'term'
    ) common USING (term)
  `);
  const frequencies = new Map(rows.map(({ index, frequency }) => [index, frequency]));
  const all = frequencies.get(0) ?? 1;
  return terms.map((_, index) => (frequencies.get(index + 1) ?? 0) / all);
}

/** Written so that the planner cannot read all media with the term. */
function hasTerm(mediaId: SQL, term: SQL): SQL {
  return sql`COALESCE((SELECT true FROM media_terms other
    WHERE other.media_id = ${mediaId} AND other.term = ${term}), false)`;
}

/** A known id lets the database estimate the frequency; an unknown slug makes the term NULL, which matches nothing. */
function named(kind: string, slug: string | null, options: FilterOption[], table: SQL): SQL[] {
  if (!slug) return [];
  const known = options.find((option) => option.slug === slug);
  return known
    ? [sql`${`${kind} ${known.id}`}::text`]
    : [sql`(SELECT ${`${kind} `}::text || id::text FROM ${table} WHERE slug = ${slug})`];
}

/** A page's `id` and `sort_value`, read along the first term's index; the other terms are checked row by row. */
export function walkTerms(
  type: MediaType,
  [driver, ...others]: SQL[],
  unseenBy: string | null,
  position: Position<Order>,
): SQL {
  const id = sql`t.media_id`;
  const conditions = [
    sql`t.term = ${driver} AND t.type = ${type} AND ${isLiveTerm}`,
    ...others.map((term) => hasTerm(id, term)),
    ...(unseenBy
      ? [
          sql`COALESCE((SELECT v.completed_at IS NULL FROM views v
            WHERE v.user_id = ${unseenBy} AND v.media_id = t.media_id), true)`,
        ]
      : []),
  ];
  return sql`SELECT ${id} AS id, ${position.key.column} AS sort_value FROM media_terms t
    WHERE ${sql.join(conditions, sql` AND `)} ${beyond(position, id)}`;
}

interface ScanFilters {
  search: string | null;
  seen: ListFilters["seen"];
  viewerId: string | null;
}

/** Sorts all matches: better for one person's seen media, words that are rare together, and searches with operators. */
export function scanMedia(
  type: MediaType,
  terms: SQL[],
  { search, seen, viewerId }: ScanFilters,
  position: Position<Order>,
): SQL {
  const id = sql`m.id`;
  const conditions = [sql`m.type = ${type} AND ${isLive}`, ...terms.map((term) => hasTerm(id, term))];
  if (search) conditions.push(sql`m.search @@ websearch_to_tsquery('simple', f_unaccent(${search}))`);
  const completed = sql`SELECT v.media_id FROM views v WHERE v.user_id = ${viewerId} AND v.completed_at IS NOT NULL`;
  if (seen === "unseen" && viewerId) conditions.push(sql`m.id NOT IN (${completed})`);
  const from =
    seen === "seen" && viewerId
      ? sql`(${completed} OFFSET 0) seen JOIN media m ON m.id = seen.media_id`
      : sql`media m`;
  const column = position.key.ofMedia;
  return sql`SELECT ${id} AS id, ${column} AS sort_value FROM ${from}
    WHERE ${sql.join(conditions, sql` AND `)} ${beyond(position, id, column)}`;
}
