import { type Runner, run } from "graphile-worker";
import { config } from "#app/config.server.ts";
import type { JobName } from "#app/domain/jobs/jobs.ts";
import { allowLongStatements, closeDatabase } from "#db/client.server.ts";
import { freeAbandonedJobs, WORKER_NAME } from "./worker/free-abandoned-jobs.ts";
import { tasks } from "./worker/tasks.ts";
import { withoutValuesInErrors } from "./worker/without-values.ts";

const STOP_WITHIN_MS = 9_000;
const connectionString = withName(config.database.url ?? "");

/** Both wait most of the time; and a payment provider that hangs must not keep a mail from being sent. */
const ROOMS: Room[] = [
  {
    names: ["billing-event", "refresh-billing", "reconcile-billing"],
    concurrency: 3,
    crontab: "15 3 * * * reconcile-billing ?max=3&fill=1d",
  },
  {
    names: ["send-mail", "release-due-media", "rank-media", "retry-billing-events", "notice-due", "clean-up"],
    concurrency: 3,
    crontab: `
* * * * * release-due-media ?max=1
*/10 * * * * rank-media ?max=1
*/10 * * * * clean-up ?max=1
5 * * * * notice-due ?max=3&fill=1d
35 * * * * retry-billing-events ?max=1
`,
  },
];

interface Room {
  names: JobName[];
  /** How many of them at once. */
  concurrency: number;
  crontab: string;
}

allowLongStatements();
await freeAbandonedJobs();
const runners = await Promise.all(ROOMS.map(openRoom));

function openRoom({ names, concurrency, crontab }: Room): Promise<Runner> {
  const taskList = Object.fromEntries(names.map((name) => [name, withoutValuesInErrors(name, tasks[name])]));
  return run({ connectionString, concurrency, noHandleSignals: true, taskList, crontab });
}

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
  void Promise.all(runners.map((runner) => runner.stop()))
    .then(closeDatabase)
    .then(() => process.exit(0));
}
