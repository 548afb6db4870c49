import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { PROBLEMS, type Problem } from "./problems.ts";

export async function findProblems(mediaId: string): Promise<Problem[]> {
  const [item] = await db.execute<{ problems: Problem[] }>(
    sql`SELECT to_jsonb(media_problems(m)) AS problems FROM media m WHERE m.id = ${mediaId}`,
  );
  return item?.problems ?? [];
}

/** For the studio's first page. The terms of its list know them without a look at each item. */
export async function countProblems(): Promise<Record<Problem, number>> {
  const columns = PROBLEMS.map(
    (problem) => sql`(SELECT count(*)::int FROM studio_terms WHERE term = list_term(${`problem ${problem}`}))
      AS ${sql.identifier(problem)}`,
  );
  const [counts] = await db.execute<Record<Problem, number>>(sql`SELECT ${sql.join(columns, sql`, `)}`);
  if (!counts) throw new Error("Counts are one row");
  return counts;
}
