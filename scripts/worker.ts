import { getPriority, setPriority } from "node:os";
import { type Runner, run } from "graphile-worker";
import { config } from "#app/config.server.ts";
import type { JobName } from "#app/domain/jobs/jobs.ts";
import { allowLongStatements, closeDatabase } from "#db/client.server.ts";
import { freeAbandonedJobs, WORKER_NAME } from "./worker/free-abandoned-jobs.ts";
import { tasks } from "./worker/tasks.ts";
import { withoutValuesInErrors } from "./worker/without-values.ts";

const STOP_WITHIN_MS = 9_000;
const connectionString = withName(config.database.url ?? "");

/** A payment provider that hangs must not keep a mail from being sent: these have hands of their own. */
const ASKING_THE_PROVIDER: JobName[] = [
  "billing-event",
  "refresh-billing",
  "reconcile-billing",
  "forget-customer",
  "pass-on-wish",
  "end-withdrawn",
];
const OTHERS = (Object.keys(tasks) as JobName[]).filter((name) => !ASKING_THE_PROVIDER.includes(name));
const PROVIDER_CRONTAB = "15 3 * * * reconcile-billing ?max=3&fill=1d";
const CRONTAB = `
* * * * * release-due-media ?max=1
*/10 * * * * rank-media ?max=1
*/10 * * * * clean-up ?max=1
5 * * * * notice-due ?max=3&fill=1d
35 * * * * retry-billing-events ?max=1
`;
/** Of each kind; they wait most of the time. */
const AT_ONCE = 3;
/** Steps below the web processes: somebody waits for a page, nobody for a job. */
const NICENESS = 10;

giveWay();
allowLongStatements();
await freeAbandonedJobs();
const runners = await Promise.all([runJobs(ASKING_THE_PROVIDER, PROVIDER_CRONTAB), runJobs(OTHERS, CRONTAB)]);

function runJobs(names: JobName[], crontab: string): Promise<Runner> {
  const taskList = Object.fromEntries(names.map((name) => [name, withoutValuesInErrors(name, tasks[name])]));
  return run({ connectionString, concurrency: AT_ONCE, noHandleSignals: true, taskList, crontab });
}

/** Where it is not allowed, pages and jobs share the processor evenly. */
function giveWay(): void {
  try {
    setPriority(getPriority() + NICENESS);
  } catch {}
}

function withName(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("application_name", WORKER_NAME);
  return url.href;
}

let isStopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
// Whoever started this process was killed.
process.once("disconnect", stop);

/** Lets running jobs finish; a job that does not is taken up again by the next worker. */
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
  void Promise.all(runners.map((runner) => runner.stop()))
    .then(closeDatabase)
    .then(() => process.exit(0));
}
