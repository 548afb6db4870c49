// remix-serve under node:cluster: the processes share one port, and one that dies is replaced by the primary.
const cluster = require("node:cluster");
const { availableParallelism } = require("node:os");

const MOST_BY_DEFAULT = 4;
const EXIT_WITHIN_MS = 10_000;
const FIRST_RESTART_MS = 500;
const LONGEST_RESTART_MS = 30_000;
/** A process that ran this long is healthy, and the next restart is quick again. */
const HEALTHY_AFTER_MS = 60_000;
/** A page needs a third of it; unbounded, the heap grows to 250 MB before it is cleaned. */
const HEAP_MB = 192;

/** Read by app/config.server.ts, which the supervisor has asked; empty means the default. */
const count = Number(process.env.WEB_PROCESSES) || Math.min(availableParallelism(), MOST_BY_DEFAULT);
const listening = new Set();
let isStopping = false;
let restartDelay = FIRST_RESTART_MS;

cluster.setupPrimary({
  exec: require.resolve("@remix-run/serve/dist/cli.js"),
  args: ["build/server/index.js"],
  execArgv: [`--max-old-space-size=${HEAP_MB}`],
});
for (let index = 0; index < count; index += 1) begin();

cluster.on("listening", ({ id }) => listening.add(id));

cluster.on("exit", ({ id }) => {
  listening.delete(id);
  if (isStopping) endWithTheLast();
});

/** One more process, which another follows when it ends: more slowly each time, as long as they end soon. */
function begin() {
  const begunAt = Date.now();
  cluster.fork().once("exit", (code, signal) => {
    if (isStopping) return;
    if (Date.now() - begunAt > HEALTHY_AFTER_MS) restartDelay = FIRST_RESTART_MS;
    console.error(`a web process ended (${code ?? signal}); starting another in ${restartDelay} ms`);
    setTimeout(() => !isStopping && begin(), restartDelay);
    restartDelay = Math.min(restartDelay * 2, LONGEST_RESTART_MS);
  });
}

function endWithTheLast() {
  if (Object.keys(cluster.workers).length === 0) process.exit(0);
}

function stop() {
  if (isStopping) return;
  isStopping = true;
  endWithTheLast();
  // One that does not listen yet has nothing to finish, and would complain that it cannot stop listening.
  for (const worker of Object.values(cluster.workers)) {
    worker.process.kill(listening.has(worker.id) ? "SIGTERM" : "SIGKILL");
  }
  setTimeout(() => {
    for (const worker of Object.values(cluster.workers)) worker.process.kill("SIGKILL");
    process.exit(0);
  }, EXIT_WITHIN_MS).unref();
}

// The last is the supervisor's death.
for (const event of ["SIGTERM", "SIGINT", "disconnect"]) process.on(event, stop);
