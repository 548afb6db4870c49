import { sql } from "drizzle-orm";
import { db, uuids } from "#db/client.server.ts";
import { refreshCounts } from "../../media/counts.server.ts";
import { lockItems } from "../item/items.server.ts";
import { publishDueMedia } from "../states/transitions.server.ts";

const ACTOR = { id: null, name: "release-due-media", role: "owner" } as const;
const FAILED =
  "It could not be published on time, because of an error on the site. It is tried again each minute.";

/** Each item alone: one that cannot be published stays scheduled, says why, and is tried again. */
export async function releaseDueMedia(): Promise<{
  released: number;
  failed: { id: string; error: unknown }[];
}> {
  const due = await db.execute<{ id: string }>(sql`
    SELECT id FROM media WHERE status = 'scheduled' AND publish_at <= now() ORDER BY publish_at, id`);
  const failed: { id: string; error: unknown }[] = [];
  for (const { id } of due) {
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

/** Unless somebody has changed its plan meanwhile. */
async function storeProblem(id: string, problem: string): Promise<void> {
  await db.execute(sql`
    UPDATE media SET publish_problem = ${problem}
    WHERE id = ${id} AND status = 'scheduled' AND publish_at <= now() AND publish_problem IS DISTINCT FROM ${problem}`);
}

/** Takes media that has expired out of the lists, and lists it as expired in the studio. */
export async function dropExpiredMedia(): Promise<void> {
  await db.transaction(async (tx) => {
    const expired = await tx.execute<{ media_id: string }>(
      sql`SELECT DISTINCT media_id FROM media_terms WHERE expire_at <= now()`,
    );
    if (expired.length === 0) return;
    const ids = expired.map(({ media_id }) => media_id);
    // A save locks the item before its terms, too: in another order both would wait for each other.
    await lockItems(tx, ids);
    await tx.execute(sql`DELETE FROM media_terms WHERE media_id = ANY(${uuids(ids)}) AND expire_at <= now()`);
    await tx.execute(sql`SELECT refresh_studio_terms(${uuids(ids)})`);
    await refreshCounts(undefined, tx);
  });
}
