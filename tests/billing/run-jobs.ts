import { sql } from "drizzle-orm";
import { Logger, runOnce } from "graphile-worker";
import { db } from "#db/client.server.ts";
import { tasks } from "#scripts/worker/tasks.ts";

const quiet = new Logger(() => () => {});

/** Does in this process what the worker would do now. */
export async function runJobs(): Promise<void> {
  await runOnce({
    connectionString: process.env.DATABASE_URL,
    taskList: tasks,
    concurrency: 4,
    noHandleSignals: true,
    logger: quiet,
  });
}

/** Jobs that could be done now or are not put away yet; one that failed waits first. */
export async function countDueJobs(): Promise<number> {
  const [row] = await db.execute<{
    count: number;
  }>(sql`SELECT count(*)::int AS count FROM graphile_worker.jobs
    WHERE run_at <= now() AND attempts < max_attempts`);
  return row?.count ?? 0;
}
