import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** A killed worker's connection is closed within moments. */
const TRIES = 5;
const PAUSE_MS = 200;

/** How the connections of workers call themselves. */
export const WORKER_NAME = "peony-worker";

/**
 * Frees the jobs of a worker that was killed over them, which would wait for four hours else: when no worker is there,
 * all that are taken are its. Before this worker connects.
 */
export async function freeAbandonedJobs(): Promise<void> {
  for (let left = TRIES; left > 0; left -= 1) {
    if (!(await isWorkerThere())) {
      await db.execute(sql`SELECT graphile_worker.force_unlock_workers(
        array(SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL))`);
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
