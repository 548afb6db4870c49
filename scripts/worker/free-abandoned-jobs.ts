import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** The connection of a killed worker closes within moments. */
const TRIES = 5;
const PAUSE_MS = 200;

/** The application_name of the workers' connections. */
export const WORKER_NAME = "peony-worker";

/**
 * Frees the jobs that a killed worker had locked; otherwise they would wait for four hours. When no worker is
 * connected, all locked jobs are abandoned. Must run before this worker connects.
 */
export async function freeAbandonedJobs(): Promise<void> {
  for (let left = TRIES; left > 0; left -= 1) {
    if (!(await isWorkerThere())) {
      await db.execute(sql`SELECT graphile_worker.force_unlock_workers(
        array(SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL))`);
      // A single try that was killed would stay for ever; the clock queues such a job again.
      await db.execute(sql`SELECT graphile_worker.complete_jobs(
        array(SELECT id FROM graphile_worker.jobs WHERE attempts >= max_attempts AND last_error IS NULL))`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

async function isWorkerThere(): Promise<boolean> {
  const rows = await db.execute(sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = ${WORKER_NAME} LIMIT 1`);
  return rows.length > 0;
}
