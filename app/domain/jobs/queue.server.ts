import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** Counts of one job, by its name in the queue. */
export interface QueuedJobs {
  job: string;
  /** Due, and not begun. */
  waiting: number;
  /** Due later: a first attempt or the next one. */
  scheduled: number;
  running: number;
  /** Failed for good. */
  failed: number;
  /** How long the oldest of the waiting has been due; null when none waits. */
  oldestSeconds: number | null;
}

/** Throws before the first start of a site, which makes the queue. */
export async function readQueue(): Promise<QueuedJobs[]> {
  const rows = await db.execute<QueuedJobs & Record<string, unknown>>(sql`
    SELECT task_identifier AS job,
      count(*) FILTER (WHERE is_open AND run_at <= now())::int AS waiting,
      count(*) FILTER (WHERE is_open AND run_at > now())::int AS scheduled,
      count(*) FILTER (WHERE locked_at IS NOT NULL)::int AS running,
      count(*) FILTER (WHERE locked_at IS NULL AND NOT is_open)::int AS failed,
      extract(epoch FROM now() - min(run_at) FILTER (WHERE is_open AND run_at <= now()))::float8 AS "oldestSeconds"
    FROM (SELECT *, locked_at IS NULL AND attempts < max_attempts AS is_open FROM graphile_worker.jobs) AS jobs
    GROUP BY task_identifier`);
  return [...rows];
}

/** Null when no job waits. */
export function oldestOf(queue: QueuedJobs[]): number | null {
  const ages = queue.flatMap(({ oldestSeconds }) => oldestSeconds ?? []);
  return ages.length === 0 ? null : Math.max(...ages);
}
