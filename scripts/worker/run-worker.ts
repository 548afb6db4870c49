import { EventEmitter } from "node:events";
import { getPriority, setPriority } from "node:os";
import { dirname, extname, join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { Worker as Thread } from "node:worker_threads";
import { run } from "graphile-worker";
import { Pool } from "pg";
import { config } from "#app/config.server.ts";
import { keepTrialKey } from "#app/domain/billing/offers/trials.server.ts";
import { sendBeats } from "#app/domain/health/beats.server.ts";
import { type JobName, jobNamed, jobs } from "#app/domain/jobs/jobs.ts";
import { followSite, SETTINGS_UNREAD } from "#app/domain/site/site.server.ts";
import { log } from "#app/log.server.ts";
import { pgOptions } from "#db/adapter/driver-options.ts";
import { allowLongStatements, closeDatabase } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { requireSupportedSchema } from "#db/migrations/schema-state.ts";
import { ProcessGroup } from "../supervisor/processes.ts";
import { requireNoRealDatabase, requireNoRealSite } from "../supervisor/real-site.ts";
import { freeJobsAtStart, nameConnections, WORKER_NAME } from "./free-abandoned-jobs.ts";
import { counted, logFailure } from "./job-outcomes.ts";
import { runEncoding } from "./run-encoding.ts";
import { tasks } from "./tasks.ts";

const STOP_WITHIN_MS = 9_000;
const NAMED_WITHIN_MS = 1_000;
/** An email with the wrong name or color is worse than a late one. */
const SETTINGS_WITHIN_MS = 10_000;

/** Of a runner; jobs mostly wait. */
export const USUAL = { concurrency: 3, connections: 10 };
/** Of the media worker, which imports one batch at a time. */
export const OF_IMPORTS = { concurrency: 1, connections: 4 };
/** People wait for pages, and nobody waits for a job. */
const NICENESS = 10;

interface Runner {
  stop(): Promise<void>;
}

export async function runWorker(): Promise<void> {
  await prepare();
  const runners = startRunners();
  endOnSignal(runners);
  await runners;
}

/** In a process of its own: a file that keeps it busy delays no email and costs no encoding a try (decision 204). */
export async function runMediaWorker(): Promise<void> {
  endWithWorker();
  await prepare();
  const runners = Promise.all([runJobs(MEDIA_JOBS, OF_IMPORTS)]);
  endOnSignal(runners);
  await runners;
}

/** From a thread, because a blocked process does not hear that its channel closed. The next worker begins another one. */
function endWithWorker(): void {
  const end = `setInterval(() => process.ppid === ${process.ppid} || process.kill(process.pid, "SIGKILL"), 500)`;
  new Thread(end, { eval: true, env: {}, execArgv: [] }).unref();
}

async function prepare(): Promise<void> {
  await refuseRealSite();
  await withConnection(config.database.directUrl ?? "", requireSupportedSchema);
  sendBeats();
  giveWay();
  allowLongStatements();
  await followSite(SETTINGS_WITHIN_MS, (error) => log.warn({ err: error }, SETTINGS_UNREAD));
}

async function startRunners(): Promise<Runner[]> {
  await freeJobsAtStart();
  if (!(await keepTrialKey())) {
    log.warn(
      "no value of SESSION_SECRET decrypts the key for free trials, so earlier trials are not recognized",
    );
  }
  const queue = jobsOfRunners().map((names) => runJobs(names, USUAL));
  return Promise.all([...queue, runEncoding(), startMediaWorker()]);
}

function startMediaWorker(): Runner {
  const group = new ProcessGroup();
  const program = process.argv[1] ?? "";
  const args = [...process.execArgv, join(dirname(program), `media-worker${extname(program)}`)];
  group.keepRunning({ name: "media worker", args, env: process.env });
  // It may be blocked.
  process.once("exit", () => group.signal("SIGKILL"));
  return group;
}

const JOBS = Object.keys(jobs) as JobName[];
const isOfMedia = (name: JobName) => jobNamed(name).isLong === true;
const MEDIA_JOBS = JOBS.filter(isOfMedia);

export function jobsOfRunners(): JobName[][] {
  const callsProvider = (name: JobName) => jobNamed(name).callsProvider === true;
  const others = JOBS.filter((name) => !isOfMedia(name));
  return [others.filter(callsProvider), others.filter((name) => !callsProvider(name))];
}

async function runJobs(names: JobName[], { concurrency, connections }: typeof USUAL): Promise<Runner> {
  const taskList = Object.fromEntries(
    names.map((name) => [name, logFailure(name, counted(name, tasks[name]))]),
  );
  const crontab = names.flatMap((name) => cronLine(name) ?? []).join("\n");
  // graphile-worker deletes finished jobs in the background and ends its own pool without waiting, so it gets
  // ours.
  const pgPool = new Pool({
    ...(await pgOptions(config.database.directUrl ?? "")),
    application_name: WORKER_NAME,
    max: connections,
  });
  const onLoss = (error: Error) => log.warn({ err: error }, "the queue lost a connection");
  pgPool.on("error", onLoss);
  pgPool.on("connect", (client) => client.on("error", onLoss));
  const events = new EventEmitter();
  const untilNamed = nameConnections(events);
  const runner = await run({
    pgPool,
    events,
    concurrency,
    noHandleSignals: true,
    taskList,
    crontab,
  });
  return {
    async stop() {
      // The queue sends UNLISTEN on this connection at once.
      await Promise.race([untilNamed(), sleep(NAMED_WITHIN_MS)]);
      await runner.stop();
      // The last deletion takes its connection in this turn.
      await nextTurn();
      await pgPool.end();
    },
  };
}

/** As in a crontab file: "minute hour day month weekday task ?options". */
export function cronLine(name: JobName): string | null {
  const { cron, queue } = jobNamed(name);
  if (cron === undefined) return null;
  const [times, options] = cron.split(" ?");
  // While one run waits, cron adds no second.
  const ordered = queue === undefined ? "" : `&queue=${queue}&jobKey=${queue}`;
  return `${times} ${name} ?${options}${ordered}`;
}

/** A demo's worker would consume a real site's waiting emails without sending them. */
async function refuseRealSite(): Promise<void> {
  if (!config.isDemo) return;
  requireNoRealSite(config.dataDir);
  await withConnection(config.database.directUrl ?? "", requireNoRealDatabase);
}

function giveWay(): void {
  try {
    setPriority(getPriority() + NICENESS);
  } catch {}
}

/** The next worker retries unfinished jobs. */
function endOnSignal(starting: Promise<Runner[]>): void {
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    void starting
      .then((runners) => Promise.all(runners.map((runner) => runner.stop())))
      .then(closeDatabase)
      .then(
        () => process.exit(0),
        // The caller reports a failed start.
        () => {},
      );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  // The parent process may have been killed while this one started.
  process.once("disconnect", stop);
  if (process.send && !process.connected) stop();
}
