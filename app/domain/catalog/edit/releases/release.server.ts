import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { refreshCountsOf } from "../../media/counts.server.ts";
import { publishDueMedia } from "../states/transitions.server.ts";
import { IS_DUE } from "./due-releases.server.ts";

const ACTOR = { id: null, name: "release-due-media", role: "owner" } as const;
/** The job runs every minute. "rank-media" counts whatever it missed. */
const COUNTED_FOR_MINUTES = 10;
const FAILED = "Something went wrong on our side. The site keeps trying.";

/** An item that cannot be published stays scheduled, says why, and is tried again. */
export async function releaseDueMedia(): Promise<{
  released: number;
  failed: { id: string; error: unknown }[];
}> {
  const due = await readRows(db, text)`
    SELECT id FROM media WHERE ${IS_DUE} ORDER BY publish_at, id`;
  const failed: { id: string; error: unknown }[] = [];
  for (const id of due) {
    const [problem, error] = await publish(id);
    if (problem === null) continue;
    failed.push({ id, error });
    await storeProblem(id, problem);
  }
  return { released: due.length - failed.length, failed };
}

async function publish(id: string): Promise<[problem: string | null, error: unknown]> {
  try {
    const result = await publishDueMedia(ACTOR, id);
    return [result === null || result.done ? null : result.problem, null];
  } catch (error) {
    return [FAILED, error];
  }
}

async function storeProblem(id: string, problem: string): Promise<void> {
  await db.execute(sql`
    UPDATE media SET publish_problem = ${problem}
    WHERE id = ${id} AND ${IS_DUE} AND publish_problem IS DISTINCT FROM ${problem}`);
}

/** Lists drop an expired item at once. The counts of its creators follow here. */
export async function countExpiredMedia(): Promise<void> {
  const expired = await readRows(db, text)`SELECT m.id FROM media m
    WHERE has_expired(m) AND m.expire_at > now() - ${COUNTED_FOR_MINUTES} * interval '1 minute'`;
  if (expired.length === 0) return;
  await db.transaction((tx) => refreshCountsOf(expired, tx));
}
