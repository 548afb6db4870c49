import { type SQL, sql } from "drizzle-orm";
import { db, type Executor } from "#db/client.server.ts";
import { ATTEMPTS, type JobName, type JobPayload, jobNamed } from "./jobs.ts";

/** The lowest runs first. */
const PRIORITY = { urgent: -1, other: 0 };
const NONE = sql`NULL`;

/** A page does a small job itself for some seconds. The queue does the rest, as it does when the process was killed. */
export const IN_THE_REQUEST = { withinMs: 5_000, restAfterSeconds: 10 };

/** With a transaction, the job exists only if it commits. Jobs of one queue run one after the other. */
export async function enqueue<Name extends JobName>(
  name: Name,
  payload: JobPayload<Name>,
  executor: Executor = db,
  {
    queue = jobNamed(name).queue ?? null,
    afterSeconds = 0,
  }: { queue?: string | null; afterSeconds?: number } = {},
): Promise<void> {
  const body = sql`${JSON.stringify(jobNamed(name).payload.parse(payload))}::text::json`;
  const runAt = afterSeconds > 0 ? sql`now() + ${afterSeconds} * interval '1 second'` : sql`NULL`;
  await addJob(specOf(name, body, { queue: sql`${queue}`, runAt }), executor);
}

/** Queues nothing while a job with this key waits or runs; replaces one that failed for good. */
export async function enqueueOnce<Name extends JobName>(
  name: Name,
  payload: JobPayload<Name>,
  key: string,
): Promise<void> {
  const body = sql`${JSON.stringify(jobNamed(name).payload.parse(payload))}::text::json`;
  await db.transaction(async (tx) => {
    const live = await tx.execute(sql`SELECT 1 FROM graphile_worker.jobs
      WHERE key = ${key} AND (attempts < max_attempts OR locked_at IS NOT NULL)`);
    if (live.length > 0) return;
    await tx.execute(sql`SELECT graphile_worker.remove_job(${key})`);
    await addJob(specOf(name, body, { key: sql`${key}` }), tx);
  });
}

/** One call for fifty jobs takes a tenth of the time. */
export function enqueueForRows<Name extends JobName>(
  name: Name,
  payload: Record<keyof JobPayload<Name>, SQL>,
  queue: SQL,
  rows: SQL,
): SQL {
  const fields = Object.entries<SQL>(payload).map(([key, value]) => sql`${key}::text, ${value}::text`);
  const spec = specOf(name, sql`json_build_object(${sql.join(fields, sql`, `)})`, { queue });
  return sql`(SELECT count(*) FROM graphile_worker.add_jobs((SELECT array_agg(${spec}) FROM ${rows})))`;
}

async function addJob(spec: SQL, executor: Executor): Promise<void> {
  await executor.execute(sql`SELECT graphile_worker.add_jobs(ARRAY[${spec}]::graphile_worker.job_spec[])`);
}

/** Fields in the order of graphile_worker.job_spec. */
function specOf(
  name: JobName,
  payload: SQL,
  { queue = NONE, runAt = NONE, key = NONE }: { queue?: SQL; runAt?: SQL; key?: SQL },
): SQL {
  const { isPersistent, isUrgent } = jobNamed(name);
  const attempts = isPersistent ? ATTEMPTS.persistent : ATTEMPTS.usual;
  const priority = isUrgent ? PRIORITY.urgent : PRIORITY.other;
  return sql`(${name}::text, ${payload}, ${queue}::text, ${runAt}, ${attempts}::smallint, ${key}::text, ${priority}::smallint, NULL)::graphile_worker.job_spec`;
}
