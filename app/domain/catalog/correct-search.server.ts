import { sql } from "drizzle-orm";
import { searchDb } from "#db/client.server.ts";
import { isLiveTerm } from "./visibility.server.ts";

const CANDIDATES = 5;

/**
 * The same search with each word that occurs nowhere replaced by the most similar one that live media have; null when
 * nothing is to be corrected. Two letters that changed places are looked up by themselves, and count as nearest: they
 * leave hardly a trigram of a short word.
 */
export async function correctSearch(search: string): Promise<string | null> {
  const words = [...new Set(search.match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
  if (words.length === 0) return null;
  const rows = await searchDb.execute<{ given: string; word: string }>(sql`
    SELECT given, near.word
    FROM jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) given
    CROSS JOIN LATERAL (SELECT lower(f_unaccent(given)) AS plain) typed
    CROSS JOIN LATERAL (
      SELECT word FROM (
        (SELECT s.word, similarity(s.word, plain) AS closeness FROM search_terms s
        WHERE s.word % plain ORDER BY closeness DESC, s.word LIMIT ${CANDIDATES})
        UNION ALL
        SELECT s.word, 1 FROM search_terms s WHERE s.word = ANY(ARRAY(
          SELECT overlay(plain PLACING reverse(substr(plain, n, 2)) FROM n FOR 2)
          FROM generate_series(1, length(plain) - 1) n
        ))
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
