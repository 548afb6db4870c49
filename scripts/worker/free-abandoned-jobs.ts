// Needed because an email that a killed worker was sending would wait for four hours: decision 115.
import type { EventEmitter } from "node:events";
import { sql } from "drizzle-orm";
import type { WorkerEvents } from "graphile-worker";
import { log } from "#app/log.server.ts";
import { db } from "#db/client.server.ts";

const TRIES = 5;
const PAUSE_MS = 200;
/** TCP keepalive: the server closes the connection 60 s after the machine is lost. */
const KEEPALIVE_SECONDS = { idle: "30", interval: "10", count: "3" };

export const WORKER_NAME = "peony-worker";
const IS_WORKER = sql`datname = current_database() AND starts_with(application_name, ${WORKER_NAME})`;

/**
 * Names a pool's lasting connection after the id that locks its jobs, so that other workers see whether it is
 * alive. The returned function resolves when the connection has its name, or has ended.
 */
export function nameConnections(events: WorkerEvents & EventEmitter): () => Promise<void> {
  let named: Promise<void> = Promise.resolve();
  events.on("pool:listen:success", ({ workerPool, client }) => {
    const { idle, interval, count } = KEEPALIVE_SECONDS;
    const writeName = () =>
      client.query(
        `SELECT set_config('application_name', $1, false), set_config('tcp_keepalives_idle', $2, false),
          set_config('tcp_keepalives_interval', $3, false), set_config('tcp_keepalives_count', $4, false)`,
        [`${WORKER_NAME} ${workerPool.id}`, idle, interval, count],
      );
    // The driver warns of a query that is sent while another, here the queue's LISTEN, is running.
    named = new Promise<void>((resolve) => client.once("drain", resolve).once("end", resolve))
      .then(writeName)
      .then(
        () => {},
        (error: unknown) => log.warn({ err: error }, "a worker's connection could not be named"),
      );
  });
  return () => named;
}

/** Waits for the connections of a worker that was killed with the last site. Must run before this one connects. */
export async function freeJobsAtStart(): Promise<void> {
  for (let left = TRIES; left > 0 && (await isWorkerThere()); left -= 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await freeAbandonedJobs();
}

/**
 * Beside other workers, only locks older than a minute are freed: a worker takes jobs before its connection
 * has its name.
 */
export async function freeAbandonedJobs(): Promise<void> {
  await db.execute(sql`WITH workers AS (SELECT application_name AS name FROM pg_stat_activity WHERE ${IS_WORKER})
    SELECT graphile_worker.force_unlock_workers(array(SELECT DISTINCT locked_by FROM graphile_worker.jobs
      WHERE locked_by IS NOT NULL
        AND NOT EXISTS (SELECT FROM workers WHERE name = ${WORKER_NAME} || ' ' || locked_by)
        AND (locked_at < now() - interval '1 minute' OR NOT EXISTS (SELECT FROM workers))))`);
  // A job with a single try that was killed would stay forever; cron queues such a job again.
  await db.execute(sql`SELECT graphile_worker.complete_jobs(array(SELECT id FROM graphile_worker.jobs
    WHERE attempts >= max_attempts AND last_error IS NULL AND locked_by IS NULL))`);
}

async function isWorkerThere(): Promise<boolean> {
  return (await db.execute(sql`SELECT FROM pg_stat_activity WHERE ${IS_WORKER} LIMIT 1`)).length > 0;
}
