import { type SQL, sql } from "drizzle-orm";
import { db, type Executor } from "#db/client.server.ts";
import { type JobName, type JobPayload, jobPayloads } from "./jobs.ts";

/** Tries of a job, the wait growing from seconds to minutes: about twenty minutes in all. */
const MAX_ATTEMPTS = 7;
/** What nobody would ask for again is tried for two days and a half. */
const MANY_ATTEMPTS = 20;
const UNASKED: JobName[] = ["forget-customer"];
/** The queue takes the lowest first. Somebody waits for a sign-in mail, and nobody for the rest. */
const PRIORITY = { mail: -1, other: 0 };

/**
 * Given a transaction, the job exists exactly when the transaction commits. Jobs of one queue run one after the other.
 * `afterSeconds`: before which nobody does it.
 */
export async function enqueue<Name extends JobName>(
  name: Name,
  payload: JobPayload<Name>,
  executor: Executor = db,
  { queue = null, afterSeconds = 0 }: { queue?: string | null; afterSeconds?: number } = {},
): Promise<void> {
  const body = sql`${JSON.stringify(jobPayloads[name].parse(payload))}::text::json`;
  const runAt = afterSeconds > 0 ? sql`now() + ${afterSeconds} * interval '1 second'` : sql`NULL`;
  const spec = specOf(name, body, sql`${queue}`, runAt);
  await executor.execute(sql`SELECT graphile_worker.add_jobs(ARRAY[${spec}]::graphile_worker.job_spec[])`);
}

/**
 * For a statement that stores something and leaves what follows to the queue, both or nothing: a job for each of `rows`,
 * an expression that says how many. The payload and the queue are expressions of their columns, as text. Fifty jobs in one
 * call take a tenth of the time of fifty calls.
 */
export function jobsOfRows<Name extends JobName>(
  name: Name,
  payload: Record<keyof JobPayload<Name>, SQL>,
  queue: SQL,
  rows: SQL,
): SQL {
  const fields = Object.entries<SQL>(payload).map(([key, value]) => sql`${key}::text, ${value}::text`);
  const spec = specOf(name, sql`json_build_object(${sql.join(fields, sql`, `)})`, queue);
  return sql`(SELECT count(*) FROM graphile_worker.add_jobs((SELECT array_agg(${spec}) FROM ${rows})))`;
}

/** In the order of the queue's own type. */
function specOf(name: JobName, payload: SQL, queue: SQL, runAt = sql`NULL`): SQL {
  const attempts = UNASKED.includes(name) ? MANY_ATTEMPTS : MAX_ATTEMPTS;
  const priority = name === "send-mail" ? PRIORITY.mail : PRIORITY.other;
  return sql`(${name}::text, ${payload}, ${queue}::text, ${runAt}, ${attempts}::smallint, NULL, ${priority}::smallint, NULL)::graphile_worker.job_spec`;
}
