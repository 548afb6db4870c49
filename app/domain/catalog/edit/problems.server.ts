import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { PROBLEMS, type Problem, type ProblemFacts, problemsOf } from "./problems.ts";

const noCaptions = sql`NOT EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND f.name LIKE 'captions-%')`;
const isCover = sql`f.name LIKE 'cover-%'`;

/** Whether a row `m` of media has the problem: the rules of problemsOf(), for lists. */
export const hasProblem: Record<Problem, SQL> = {
  noCredit: sql`NOT EXISTS (SELECT FROM media_creators mc WHERE mc.media_id = m.id)`,
  noCover: sql`NOT EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND ${isCover})`,
  noProductionDate: sql`m.produced_on IS NULL`,
  missingCaptions: sql`(EXISTS (SELECT FROM videos v WHERE v.media_id = m.id AND v.has_audio) AND ${noCaptions})`,
  publishFailed: sql`m.publish_problem IS NOT NULL`,
};

/** What was deleted or taken down has nothing left to mend. */
export const isMendable = sql`m.status NOT IN ('takenDown', 'deleted')`;

export async function findProblems(mediaId: string): Promise<Problem[]> {
  const [facts] = await db.execute<ProblemFacts & Record<string, unknown>>(sql`
    SELECT (SELECT count(*)::int FROM media_creators mc WHERE mc.media_id = m.id) AS "creditCount",
      EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND ${isCover}) AS "hasCover",
      m.produced_on::text AS "producedOn", m.publish_problem AS "publishProblem",
      EXISTS (SELECT FROM videos v WHERE v.media_id = m.id AND v.has_audio) AS "hasAudio",
      (SELECT count(*)::int FROM media_files f WHERE f.media_id = m.id AND f.name LIKE 'captions-%') AS "captionCount"
    FROM media m WHERE m.id = ${mediaId} AND ${isMendable}`);
  return facts ? problemsOf(facts) : [];
}

/** For the studio's first page. */
export async function countProblems(): Promise<Record<Problem, number>> {
  const columns = PROBLEMS.map(
    (problem) => sql`count(*) FILTER (WHERE ${hasProblem[problem]})::int AS ${sql.identifier(problem)}`,
  );
  const [counts] = await db.execute<Record<Problem, number>>(sql`
    SELECT ${sql.join(columns, sql`, `)} FROM media m WHERE ${isMendable}`);
  if (!counts) throw new Error("Counts are one row");
  return counts;
}
