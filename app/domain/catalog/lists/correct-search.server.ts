import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { searchDb } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { hasPublished, isLive } from "../media/visibility.server.ts";

const WORDS = /[\p{L}\p{N}]{3,}/gu;
const CANDIDATES = 5;

const Correction = z.object({ given: text, word: text });

/**
 * The search, with each word that occurs nowhere replaced by the most similar word of live media; null if no word has one.
 * Swapped letters count as nearest, because they leave few trigrams of a short word.
 */
export async function correctSearch(search: string): Promise<string | null> {
  const words = [...new Set(search.match(WORDS) ?? [])];
  if (words.length === 0) return null;
  const rows = await readRows(searchDb, Correction)`
    SELECT given, near.word FROM jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) given
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
      WHERE ${isWordOfLive(sql`candidate.word`)}
      ORDER BY closeness DESC, word LIMIT 1
    ) near
    WHERE EXISTS (
      SELECT FROM unnest(to_tsvector('simple', f_unaccent(given))) own WHERE NOT ${isWordOfLive(sql`own.lexeme`)}
    )`;
  return rows.length === 0
    ? null
    : withCorrections(search, new Map(rows.map(({ given, word }) => [given, word])));
}

/** `word` has the form in which the index stores it. */
function isWordOfLive(word: SQL): SQL {
  const query = sql`phraseto_tsquery('simple', ${word})`;
  return sql`(EXISTS (SELECT FROM media m WHERE m.search @@ ${query} AND ${isLive})
    OR EXISTS (SELECT FROM creators c WHERE c.search @@ ${query} AND ${hasPublished})
    OR EXISTS (SELECT FROM tags n JOIN media_tags l ON l.tag_id = n.id JOIN media m ON m.id = l.media_id
      WHERE n.search @@ ${query} AND ${isLive}))`;
}

function withCorrections(search: string, better: Map<string, string>): string {
  return search.replace(WORDS, (word) => better.get(word) ?? word);
}
