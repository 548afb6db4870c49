import { type SQL, sql } from "drizzle-orm";
import { db, type Executor } from "#db/client.server.ts";
import { type JobName, type JobPayload, jobPayloads } from "./jobs.ts";

/** Tries of a job, the wait growing from seconds to minutes: about twenty minutes in all. */
const MAX_ATTEMPTS = 7;
/** What nobody would ask for again is tried for two days and a half. */
const MANY_ATTEMPTS = 20;
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

function addJob<Name extends JobName>(name: Name, payload: JobPayload<Name>, queue: string | null): SQL {
  const body = sql`${JSON.stringify(jobPayloads[name].parse(payload))}::text::json`;
  return callOf(name, body, sql`${queue}::text`);
}

/** For a statement that stores something and leaves what follows to the queue, both or nothing: a job for each row. The payload and the queue are expressions of its columns, as text. */
export function jobOfRow<Name extends JobName>(
  name: Name,
  payload: Record<keyof JobPayload<Name>, SQL>,
  queue: SQL,
): SQL {
  const fields = Object.entries<SQL>(payload).map(([key, value]) => sql`${key}::text, ${value}::text`);
  return callOf(name, sql`json_build_object(${sql.join(fields, sql`, `)})`, queue);
}

function callOf(name: JobName, payload: SQL, queue: SQL): SQL {
  return sql`(graphile_worker.add_job(${name}, payload => ${payload}, max_attempts => ${name === "forget-customer" ? MANY_ATTEMPTS : MAX_ATTEMPTS}::int,
    queue_name => ${queue}, priority => ${name === "send-mail" ? PRIORITY.mail : PRIORITY.other}::int)).id`;
}
