import { type SQL, sql } from "drizzle-orm";
import { isLiveTerm } from "./visibility.server.ts";

const WORDS = /[\p{L}\p{N}]{3,}/gu;
const CANDIDATES = 5;

/** The words of a search that occur nowhere, each with the most similar one that live media have. */
export type BetterWords = Record<string, string>;

/**
 * BetterWords of this search as a value of one statement; NULL when nothing is to be corrected. Two letters that changed
 * places are looked up by themselves, and count as nearest: they leave hardly a trigram of a short word.
 */
export function betterWords(search: string): SQL {
  const words = [...new Set(search.match(WORDS) ?? [])];
  return sql`(
    SELECT jsonb_object_agg(given, near.word)
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
  )`;
}

/** The same search with the better words in their places. */
export function withBetterWords(search: string, better: BetterWords): string {
  const words = new Map(Object.entries(better));
  return search.replace(WORDS, (word) => words.get(word) ?? word);
}
