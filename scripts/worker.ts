import { run } from "graphile-worker";
import { config } from "#app/config.server.ts";
import { allowLongStatements, closeDatabase } from "#db/client.server.ts";
import { freeAbandonedJobs, WORKER_NAME } from "./worker/free-abandoned-jobs.ts";
import { tasks } from "./worker/tasks.ts";
import { withoutValuesInErrors } from "./worker/without-values.ts";

const STOP_WITHIN_MS = 9_000;
const CRONTAB = `
* * * * * release-due-media ?max=1
*/10 * * * * rank-media ?max=1
*/10 * * * * clean-up ?max=1
5 * * * * notice-due ?max=3&fill=1d
35 * * * * retry-billing-events ?max=1
15 3 * * * reconcile-billing ?max=3&fill=1d
`;

allowLongStatements();
await freeAbandonedJobs();
const runner = await run({
  connectionString: withName(config.database.url ?? ""),
  // They mostly wait: for mail servers and for the payment provider.
  concurrency: 4,
  noHandleSignals: true,
  taskList: Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, withoutValuesInErrors(name, task)]),
  ),
  crontab: CRONTAB,
});

function withName(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("application_name", WORKER_NAME);
  return url.href;
}

let isStopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);

/** Lets running jobs finish; a job that does not is taken up again by the next worker. */
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
  void runner
    .stop()
    .then(closeDatabase)
    .then(() => process.exit(0));
}
