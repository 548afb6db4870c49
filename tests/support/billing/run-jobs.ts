import { sql } from "drizzle-orm";
import { Logger, runOnce } from "graphile-worker";
import { db } from "#db/client.server.ts";
import { tasks } from "#scripts/worker/tasks.ts";

const quiet = new Logger(() => () => {});

/** Runs the worker's due jobs in this process. */
export async function runJobs(): Promise<void> {
  await runOnce({
    connectionString: process.env.DATABASE_URL,
    taskList: tasks,
    concurrency: 4,
    noHandleSignals: true,
    logger: quiet,
  });
}

/** Resolves when all events of a stand-in and their consequences are processed. */
export async function settle(control: { idle(): Promise<void> }): Promise<void> {
  do {
    await control.idle();
    await runJobs();
    await control.idle();
  } while ((await countDueJobs()) > 0);
}

/** The number of jobs that are due or still locked; a failed job waits for its retry and is not counted. */
export async function countDueJobs(): Promise<number> {
  const [row] = await db.execute<{
    count: number;
  }>(sql`SELECT count(*)::int AS count FROM graphile_worker.jobs
    WHERE run_at <= now() AND attempts < max_attempts`);
  return row?.count ?? 0;
}
