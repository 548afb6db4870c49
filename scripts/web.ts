import cluster, { type Worker } from "node:cluster";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { databaseAddresses } from "#app/config/database-addresses.ts";
import { sendBeats } from "#app/domain/health/beats.server.ts";
import { withConnection } from "#db/connection.ts";
import { requireSupportedSchema, UnsupportedSchemaError } from "#db/migrations/schema-state.ts";
import { endWhenBlocked } from "./supervisor/blocked-processes.ts";
import { closeWhatItDidNotTake } from "./supervisor/handed-connections.ts";
import { RestartDelay } from "./supervisor/restart-delay.ts";
import { WebMetrics } from "./supervisor/web-metrics.ts";

// remix-serve under node:cluster: the processes share one port, and the primary replaces those that die.
const MAX_BY_DEFAULT = 4;
const EXIT_WITHIN_MS = 10_000;
/** A page needs less than half of this; without a limit, the heap grows to 250 MB before garbage collection. */
const HEAP_MB = 160;
/** Of the three parts of the young generation. As large as Node.js makes them, they take 90 MB of a process and save no time. */
const SEMI_SPACE_MB = 8;
/** Between two full collections. With so small a limit V8 chooses 30: decision 224. */
const HEAP_GROWTH_PERCENT = 80;

/** Validated by app/config.server.ts in the supervisor. */
const count = Number(process.env.WEB_PROCESSES) || Math.min(availableParallelism(), MAX_BY_DEFAULT);
const listening = new Set<number>();
let isStopping = false;
let isAboutToStop = false;
const restartDelay = new RestartDelay();
const metrics = new WebMetrics(() => running().filter(({ id }) => listening.has(id)));

sendBeats();
cluster.setupPrimary({
  exec: createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js"),
  args: ["build/server/index.js"],
  execArgv: [
    `--max-old-space-size=${HEAP_MB}`,
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
    `--heap-growing-percent=${HEAP_GROWTH_PERCENT}`,
  ],
});
for (let index = 0; index < count; index += 1) begin();
// Meanwhile the processes start, and serve a page about the outage if the database is unreachable.
void endWhenUnsupported();

cluster.on("listening", (worker) => {
  listening.add(worker.id);
  if (isAboutToStop) worker.process.kill("SIGUSR2");
});

cluster.on("message", (worker, message) => metrics.hear(worker, message));

cluster.on("exit", ({ id }) => {
  listening.delete(id);
  metrics.forget(id);
  if (isStopping) endWithTheLast();
});

async function endWhenUnsupported(): Promise<void> {
  try {
    await withConnection(databaseAddresses(process.env).directUrl ?? "", requireSupportedSchema);
  } catch (error) {
    if (!(error instanceof UnsupportedSchemaError)) return;
    console.error(error.message);
    process.exitCode = 1;
    stop();
  }
}

function begin(): void {
  const begunAt = Date.now();
  const ended = (how: number | string) => {
    if (isStopping) return;
    const delayMs = restartDelay.after(Date.now() - begunAt);
    console.error(`a web process ended (${how}); starting another in ${delayMs} ms`);
    setTimeout(() => !isStopping && begin(), delayMs);
  };
  let worker: Worker;
  try {
    worker = cluster.fork();
  } catch (error) {
    ended((error as Error).message);
    return;
  }
  // A process that could not be started never exits.
  worker.on("error", (error) => worker.process.pid === undefined && ended(error.message));
  if (worker.process.pid === undefined) return;
  closeWhatItDidNotTake(worker);
  endWhenBlocked(worker.process, "a web process");
  worker.once("exit", (code, signal) => ended(code ?? signal));
}

function endWithTheLast(): void {
  if (running().length === 0) process.exit();
}

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  endWithTheLast();
  // A process that does not listen yet has nothing to finish, and would report an error on closing.
  for (const worker of running()) {
    worker.process.kill(listening.has(worker.id) ? "SIGTERM" : "SIGKILL");
  }
  setTimeout(() => {
    for (const worker of running()) worker.process.kill("SIGKILL");
    process.exit();
  }, EXIT_WITHIN_MS).unref();
}

/** A process that does not listen yet has no handler, and would end. */
function announceStop(): void {
  isAboutToStop = true;
  for (const worker of running()) if (listening.has(worker.id)) worker.process.kill("SIGUSR2");
}

/** node:cluster also lists those that could not be started. */
function running(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) =>
    worker?.process.pid === undefined ? [] : [worker],
  );
}

// "disconnect" means that the supervisor has died.
for (const event of ["SIGTERM", "SIGINT", "disconnect"]) process.on(event, stop);
process.on("SIGUSR2", announceStop);
