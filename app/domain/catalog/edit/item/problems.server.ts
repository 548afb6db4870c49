import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { isTakenDown } from "../../media/visibility.server.ts";
import { PROBLEMS, type Problem } from "./problems.ts";

/** A condition on a row `m` of media. The list has no term for it: a trigger on the steps would run with every percent. */
const hasFailedEncoding = sql`(NOT ${isTakenDown}
  AND EXISTS (SELECT FROM media_work w WHERE w.media_id = m.id AND w.state = 'failed'))`;
export const ITEMS_WITH_FAILED_ENCODING: SQL = sql`SELECT m.id FROM media m WHERE ${hasFailedEncoding}`;

/** The problems of a row `m` of media. */
export const itemProblems: SQL<Problem[]> = sql`to_jsonb(media_problems(m)
  || CASE WHEN ${hasFailedEncoding} THEN ARRAY['encodingFailed'] ELSE '{}' END)`;

export async function findProblems(mediaId: string): Promise<Problem[]> {
  const [item] = await db.execute<{ problems: Problem[] }>(
    sql`SELECT ${itemProblems} AS problems FROM media m WHERE m.id = ${mediaId}`,
  );
  return item?.problems ?? [];
}

/** For the studio's first page. The terms of its list know most of them without a look at each item. */
export async function countProblems(): Promise<Record<Problem, number>> {
  const columns = PROBLEMS.map((problem) => {
    const items =
      problem === "encodingFailed"
        ? ITEMS_WITH_FAILED_ENCODING
        : sql`SELECT FROM studio_terms WHERE term = list_term(${`problem ${problem}`})`;
    return sql`(SELECT count(*)::int FROM (${items}) items) AS ${sql.identifier(problem)}`;
  });
  const [counts] = await db.execute<Record<Problem, number>>(sql`SELECT ${sql.join(columns, sql`, `)}`);
  if (!counts) throw new Error("Counts are one row");
  return counts;
}
