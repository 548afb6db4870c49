import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db, listDb } from "#db/client.server.ts";
import { number, readOne, readRow, text } from "#db/rows.ts";
import { hasCover } from "../../media/served-file.server.ts";
import { isCaptions } from "../../media/video-contents.server.ts";
import { isTakenDown } from "../../media/visibility.server.ts";
import { PROBLEMS, type Problem } from "./problems.ts";

/** On a row `m` of media. */
const CONDITIONS: Record<Problem, SQL> = {
  noCredit: sql`NOT EXISTS (SELECT FROM media_creators mc WHERE mc.media_id = m.id)`,
  noCover: sql`NOT ${hasCover}`,
  noProductionDate: sql`m.produced_on IS NULL`,
  missingCaptions: sql`EXISTS (SELECT FROM videos v WHERE v.media_id = m.id AND v.has_audio)
    AND NOT EXISTS (SELECT FROM media_files f
      WHERE f.media_id = m.id AND ${isCaptions})`,
  publishFailed: sql`m.publish_problem IS NOT NULL`,
  encodingFailed: sql`EXISTS (SELECT FROM media_work w WHERE w.media_id = m.id AND w.state = 'failed')`,
};

/** PostgreSQL expects most items to lack the row, and would check each item of the list. */
const LOOKED_UP: Problem[] = ["noCredit", "noCover"];

/** The same as hasProblem(), for a list. */
export function isListedUnder(problem: Problem): SQL {
  const condition = hasProblem(problem);
  return LOOKED_UP.includes(problem)
    ? sql`m.id IN (SELECT m.id FROM media m WHERE ${condition} OFFSET 0)`
    : condition;
}

/** A taken down or deleted item has no problems. */
function hasProblem(problem: Problem): SQL {
  return sql`NOT ${isTakenDown} AND ${CONDITIONS[problem]}`;
}

export const itemProblems: SQL<Problem[]> = sql`to_jsonb(array_remove(ARRAY[${sql.join(
  PROBLEMS.map((problem) => sql`CASE WHEN ${hasProblem(problem)} THEN ${problem}::text END`),
  sql`, `,
)}], NULL))`;

export const Problems = z.array(z.enum(PROBLEMS));

export async function findProblems(mediaId: string): Promise<Problem[]> {
  return (await readRow(db, Problems)`SELECT ${itemProblems} FROM media m WHERE m.id = ${mediaId}`) ?? [];
}

/** `only`: the id of the item, when it is one. */
const Count = z.object({ items: number, only: text.nullable() });
const ProblemCounts = z.object(
  Object.fromEntries(PROBLEMS.map((problem) => [problem, Count])) as Record<Problem, typeof Count>,
);

export async function countProblems(): Promise<z.infer<typeof ProblemCounts>> {
  const columns = PROBLEMS.map(
    (problem) =>
      sql`(SELECT jsonb_build_object('items', count(*), 'only', CASE WHEN count(*) = 1 THEN min(m.id::text) END)
        FROM media m WHERE ${hasProblem(problem)}) AS ${sql.identifier(problem)}`,
  );
  return readOne(listDb, ProblemCounts)`SELECT ${sql.join(columns, sql`, `)}`;
}
