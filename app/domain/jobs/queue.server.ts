import { sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client.server.ts";
import { json, number, readOne, readRows, text, timestamp } from "#db/rows.ts";
import { type JobName, type JobPayload, jobNamed, jobs } from "./jobs.ts";

const IS_FAILED = sql`attempts >= max_attempts AND locked_at IS NULL`;
const QUEUED_AGAIN = (Object.keys(jobs) as JobName[]).filter(
  (name) => jobNamed(name).cron !== undefined || jobNamed(name).isRepeated === true,
);
/** A failed job that is queued again anyway counts only until another of its name has succeeded. */
const COUNTS_AS_FAILED = sql`${IS_FAILED} AND NOT (task_identifier IN ${QUEUED_AGAIN} AND EXISTS (
  SELECT FROM job_outcomes WHERE job = task_identifier AND outcome = 'succeeded' AND last_at > updated_at))`;

const QueuedJobs = z.object({
  job: text,
  waiting: number,
  scheduled: number,
  running: number,
  failed: number,
  oldestSeconds: number.nullable(),
});
export type QueuedJobs = z.infer<typeof QueuedJobs>;

/** Throws before the first start of a site, which makes the queue. */
export async function readQueue(): Promise<QueuedJobs[]> {
  return readRows(db, QueuedJobs)`
    SELECT task_identifier AS job,
      count(*) FILTER (WHERE is_open AND run_at <= now())::int AS waiting,
      count(*) FILTER (WHERE is_open AND run_at > now())::int AS scheduled,
      count(*) FILTER (WHERE locked_at IS NOT NULL)::int AS running,
      count(*) FILTER (WHERE is_failed)::int AS failed,
      extract(epoch FROM now() - min(run_at) FILTER (WHERE is_open AND run_at <= now()))::float8 AS "oldestSeconds"
    FROM (
      SELECT *, locked_at IS NULL AND attempts < max_attempts AS is_open, ${COUNTS_AS_FAILED} AS is_failed
      FROM graphile_worker.jobs
    ) AS jobs
    GROUP BY task_identifier`;
}

const FailedJobs = z.object({ amount: number, since: timestamp.nullable() });

export function readFailedJobs({ except }: { except: JobName[] }): Promise<z.infer<typeof FailedJobs>> {
  return readOne(db, FailedJobs)`
    SELECT count(*)::int AS amount, min(updated_at) AS since FROM graphile_worker.jobs WHERE ${COUNTS_AS_FAILED} AND task_identifier NOT IN ${except}`;
}

const RetriedJobs = z.object({ retried: number, dropped: number });

/** Drops the failed jobs that cron queues anyway. */
export function retryFailedJobs(): Promise<z.infer<typeof RetriedJobs>> {
  return db.transaction(
    (tx) => readOne(tx, RetriedJobs)`
      WITH failed AS (
        SELECT job.id, payload::jsonb ? '_cron' AS "isFromCron" FROM graphile_worker._private_jobs job WHERE ${IS_FAILED}
      )
      SELECT
        (SELECT count(*)::int FROM graphile_worker.reschedule_jobs(
          (SELECT coalesce(array_agg(id), '{}') FROM failed WHERE NOT "isFromCron"), run_at => now(), attempts => 0)) AS retried,
        (SELECT count(*)::int FROM graphile_worker.complete_jobs(
          (SELECT coalesce(array_agg(id), '{}') FROM failed WHERE "isFromCron"))) AS dropped`,
  );
}

export function listQueued<Name extends JobName>(
  name: Name,
  facts: Partial<JobPayload<Name>>,
): Promise<JobPayload<Name>[]> {
  return readRows(db, json<JobPayload<Name>>())`
    SELECT job.payload FROM graphile_worker._private_jobs job
    JOIN graphile_worker._private_tasks task ON task.id = job.task_id
    WHERE task.identifier = ${name} AND job.payload::jsonb @> ${JSON.stringify(facts)}::jsonb AND NOT (${IS_FAILED})`;
}

export function oldestOf(queue: QueuedJobs[]): number | null {
  const ages = queue.flatMap(({ oldestSeconds }) => oldestSeconds ?? []);
  return ages.length === 0 ? null : Math.max(...ages);
}
