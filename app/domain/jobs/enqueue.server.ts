import { sql } from "drizzle-orm";
import { db, type Executor } from "#db/client.server.ts";
import { type JobName, type JobPayload, jobPayloads } from "./jobs.ts";

/** Tries of a job, the wait growing from seconds to minutes: about twenty minutes in all. */
const MAX_ATTEMPTS = 7;

/** Given a transaction, the job exists exactly when the transaction commits. Jobs of one queue run one after the other. */
export async function enqueue<Name extends JobName>(
  name: Name,
  payload: JobPayload<Name>,
  executor: Executor = db,
  queue: string | null = null,
): Promise<void> {
  const body = JSON.stringify(jobPayloads[name].parse(payload));
  await executor.execute(
    sql`SELECT 1 FROM graphile_worker.add_job(${name}, payload => ${body}::text::json, max_attempts => ${MAX_ATTEMPTS},
      queue_name => ${queue})`,
  );
}
