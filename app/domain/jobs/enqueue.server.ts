import { type SQL, sql } from "drizzle-orm";
import { db, type Executor } from "#db/client.server.ts";
import { type JobName, type JobPayload, jobPayloads } from "./jobs.ts";

/** Tries of a job, the wait growing from seconds to minutes: about twenty minutes in all. */
const MAX_ATTEMPTS = 7;
/** The queue takes the lowest first. Somebody waits for a sign-in mail, and nobody for the rest. */
const PRIORITY = { mail: -1, other: 0 };

/** Given a transaction, the job exists exactly when the transaction commits. Jobs of one queue run one after the other. */
export async function enqueue<Name extends JobName>(
  name: Name,
  payload: JobPayload<Name>,
  executor: Executor = db,
  queue: string | null = null,
): Promise<void> {
  await executor.execute(sql`SELECT ${addJob(name, payload, queue)}`);
}

/** For a statement that stores something and leaves what follows to the queue, both or nothing. */
export function addJob<Name extends JobName>(
  name: Name,
  payload: JobPayload<Name>,
  queue: string | null = null,
): SQL {
  const body = JSON.stringify(jobPayloads[name].parse(payload));
  return sql`(graphile_worker.add_job(${name}, payload => ${body}::text::json, max_attempts => ${MAX_ATTEMPTS}::int,
    queue_name => ${queue}::text, priority => ${name === "send-mail" ? PRIORITY.mail : PRIORITY.other}::int)).id`;
}
