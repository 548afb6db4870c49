import { sql } from "drizzle-orm";
import { searchDb } from "#db/client.server.ts";
import { isLiveTerm } from "./visibility.server.ts";

const CANDIDATES = 5;

/**
 * The same search with each word that occurs nowhere replaced by the most similar one that live media have; null when
 * nothing is to be corrected.
 */
export async function correctSearch(search: string): Promise<string | null> {
  const words = [...new Set(search.match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
  if (words.length === 0) return null;
  const rows = await searchDb.execute<{ given: string; word: string }>(sql`
    SELECT given, near.word
    FROM jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) given
    CROSS JOIN LATERAL (
      SELECT word FROM (
        SELECT s.word, similarity(s.word, lower(f_unaccent(given))) AS closeness FROM search_terms s
        WHERE s.word % lower(f_unaccent(given)) ORDER BY closeness DESC, s.word LIMIT ${CANDIDATES}
      ) candidate
      WHERE EXISTS (SELECT FROM media_terms t WHERE t.term = list_term('word ' || candidate.word) AND ${isLiveTerm})
      ORDER BY closeness DESC, word LIMIT 1
    ) near
    WHERE EXISTS (
      SELECT FROM unnest(to_tsvector('simple', f_unaccent(given))) own
      WHERE NOT EXISTS (SELECT FROM media_terms t WHERE t.term = list_term('word ' || own.lexeme) AND ${isLiveTerm})
    )
  `);
  if (rows.length === 0) return null;
  const better = new Map(rows.map((row) => [row.given, row.word]));
  return search.replace(/[\p{L}\p{N}]{3,}/gu, (word) => better.get(word) ?? word);
}
