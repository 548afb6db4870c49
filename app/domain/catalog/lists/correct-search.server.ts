import { type SQL, sql } from "drizzle-orm";
import { isLiveTerm } from "../media/visibility.server.ts";

const WORDS = /[\p{L}\p{N}]{3,}/gu;
const CANDIDATES = 5;

/** The words of a search that occur nowhere, each with the most similar one of live media. */
export type Corrections = Record<string, string>;

/** SQL value; NULL without corrections. Swapped letters count as nearest: they leave few trigrams of a short word. */
export function corrections(search: string): SQL {
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

export function withCorrections(search: string, better: Corrections): string {
  const words = new Map(Object.entries(better));
  return search.replace(WORDS, (word) => words.get(word) ?? word);
}
