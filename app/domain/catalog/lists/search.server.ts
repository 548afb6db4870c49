import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { searchDb } from "#db/client.server.ts";
import { flag, readRows, text } from "#db/rows.ts";

/** A word, or the words between two quotes. */
interface Term {
  text: string;
  isExcluded: boolean;
}

const NamesRow = z.object({ text, hasCreators: flag, hasTags: flag });
type KnownNames = Omit<z.infer<typeof NamesRow>, "text">;

const TOKENS = /(-*)(?:"([^"]*)"?|([^\s"]+))/gu;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * A condition on a row `m` of media. Each word and each quoted phrase must occur in the title, in the description, in the name
 * or an alias of a creator, or in a tag. One after a minus must not occur. "or" separates groups, and one of them must match.
 */
export async function matchesSearch(search: string): Promise<SQL> {
  const groups = parseGroups(search);
  if (groups.length === 0) return sql`false`;
  const names = await readNames(groups.flat());
  const conditions = groups.map((group) =>
    sql.join(
      group.map((term) => (term.isExcluded ? sql`NOT ${occurs(term, names)}` : occurs(term, names))),
      sql` AND `,
    ),
  );
  return sql`((${sql.join(conditions, sql`) OR (`)}))`;
}

function parseGroups(search: string): Term[][] {
  const groups: Term[][] = [[]];
  for (const [token, minus = "", phrase, word = ""] of search.matchAll(TOKENS)) {
    if (token.toLowerCase() === "or") groups.push([]);
    else if (LETTER.test(phrase ?? word)) {
      groups.at(-1)?.push({ text: phrase ?? word, isExcluded: minus.length % 2 === 1 });
    }
  }
  return groups.filter((group) => group.length > 0);
}

/**
 * Which words occur in names. Asked before the search, because a word that occurs only in titles and descriptions can then be
 * found by their index; with an OR that includes names, PostgreSQL would read all items.
 */
async function readNames(terms: Term[]): Promise<Map<string, KnownNames>> {
  const texts = [...new Set(terms.map(({ text }) => text))];
  const rows = await readRows(searchDb, NamesRow)`
    SELECT given.text, EXISTS (SELECT FROM creators n WHERE n.search @@ ${queryOf(sql`given.text`)}) AS "hasCreators",
      EXISTS (SELECT FROM tags n WHERE n.search @@ ${queryOf(sql`given.text`)}) AS "hasTags"
    FROM jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb) given(text)`;
  return new Map(rows.map(({ text, ...known }) => [text, known]));
}

function occurs({ text }: Term, names: Map<string, KnownNames>): SQL {
  const query = queryOf(sql`${text}`);
  const { hasCreators, hasTags } = names.get(text) ?? { hasCreators: true, hasTags: true };
  const places = [
    sql`m.search @@ ${query}`,
    ...(hasCreators
      ? [
          sql`EXISTS (SELECT FROM media_creators l JOIN creators n ON n.id = l.creator_id
      WHERE l.media_id = m.id AND n.search @@ ${query})`,
        ]
      : []),
    ...(hasTags
      ? [
          sql`EXISTS (SELECT FROM media_tags l JOIN tags n ON n.id = l.tag_id
      WHERE l.media_id = m.id AND n.search @@ ${query})`,
        ]
      : []),
  ];
  return sql`(${sql.join(places, sql` OR `)})`;
}

function queryOf(text: SQL): SQL {
  return sql`phraseto_tsquery('simple', f_unaccent(${text}))`;
}
