import { config } from "#app/config.server.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";
import { planDemoPayments } from "./demo-payments.ts";
import { endOnSignal } from "./ending.ts";
import { paymentWarning } from "./payment-warning.ts";
import { requireFreePort } from "./port.ts";
import { ProcessGroup } from "./processes.ts";
import { markRealSite, requireNoRealSite } from "./real-site.ts";

const HEALTH_POLL_MS = 50;
/** As long as another site may take to end. */
const OTHER_ENDS_WITHIN_MS = 15_000;
const OTHER_POLL_MS = 250;
const HEALTH_WITHIN_MS = 30_000;
/** While files are compiled nobody listens to the database's answers. */
const DEVELOPMENT = { DATABASE_TIMEOUT_MS: process.env.DATABASE_TIMEOUT_MS ?? "30000" };
/** Whoever starts this site anew when it fails, as a container does, starts the database with it. */
const DATABASE_ENDED = {
  said: "The built-in database has ended by itself, and the site with it: start it again. Is the disk full, or the memory?",
  exitCode: 1,
};
const REMIX_CLI = "node_modules/@remix-run/dev/dist/cli.js";

/** Starts the database, the web processes and the worker, says where they are, and ends them all on a signal. */
export async function runSite({ isDevelopment }: { isDevelopment: boolean }): Promise<void> {
  const hasStarter = process.connected;
  if (config.isDemo) requireNoRealSite(config.dataDir);
  await requireFreePort(config.web.port, config.web.host);
  const opening = openDatabase();
  // What asks the database is read from the disk while the database starts.
  const preparing = import("./prepare-database.ts");
  const database = await opening;
  const programs = new ProcessGroup();
  const payments = new ProcessGroup();
  // In this order: what runs asks for payments, and all of them for the database.
  const stopAll = async () => {
    await programs.stop();
    await payments.stop();
    await database.stop();
  };
  const end = endOnSignal(stopAll, hasStarter);
  void database.untilEnded().then(() => end(DATABASE_ENDED));
  try {
    await runPrograms({ programs, payments }, { database, preparing, isDevelopment });
  } catch (error) {
    await stopAll();
    throw error;
  }
}

interface Given {
  database: { url: string };
  preparing: Promise<typeof import("./prepare-database.ts")>;
  isDevelopment: boolean;
}

async function runPrograms(
  { programs, payments }: Record<"programs" | "payments", ProcessGroup>,
  { database, preparing, isDevelopment }: Given,
): Promise<void> {
  const { prepareDatabase } = await preparing;
  const { needsDemo } = await prepareDatabase(database.url, config);
  if (!config.isDemo) await markRealSite(config.dataDir);
  const played = await planDemoPayments(webHost());
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: isDevelopment ? "development" : "production",
    PORT: String(config.web.port),
    DATABASE_URL: database.url,
    WEB_PROCESSES: String(config.web.processes ?? ""),
    ...played?.settings,
    ...(isDevelopment ? DEVELOPMENT : {}),
  };
  if (needsDemo) await seed(programs, env);
  if (programs.isStopping) return;
  const devServer = [REMIX_CLI, "vite:dev", "--port", String(config.web.port), "--logLevel", "warn"];
  programs.keepRunning({ name: "web", args: isDevelopment ? devServer : ["scripts/web.cjs"], env });

  await waitUntilHealthy(programs);
  if (programs.isStopping) return;
  announce(played?.origin);
  // Last: somebody waits for the first page, nobody for the first job or the first payment.
  if (played) payments.keepRunning(played.program(env));
  programs.keepRunning({ name: "worker", args: ["--import", "tsx", "scripts/worker.ts"], env });
}

async function openDatabase(): Promise<Pick<EmbeddedDatabase, "url" | "stop" | "untilEnded">> {
  const { url } = config.database;
  if (url) return { url, stop: async () => {}, untilEnded: () => new Promise(() => {}) };
  // Loaded only when needed: it takes over the signals of a process that imports it.
  const { startEmbedded } = await import("#db/embedded.ts");
  for (const deadline = Date.now() + OTHER_ENDS_WITHIN_MS; ; ) {
    const database = await startEmbedded(config.dataDir);
    if (database.isOwn) return database;
    // It would be gone as soon as whoever started it ends.
    if (Date.now() > deadline) {
      throw new Error(`Another Peony uses the data folder ${config.dataDir}: end it first, or set DATA_DIR.`);
    }
    await new Promise((resolve) => setTimeout(resolve, OTHER_POLL_MS));
  }
}

/** In a process of its own, because this one was configured before the database had an address. */
async function seed(programs: ProcessGroup, env: NodeJS.ProcessEnv): Promise<void> {
  const isDone = await programs.run({ name: "seed", args: ["--import", "tsx", "scripts/seed-demo.ts"], env });
  if (!isDone && !programs.isStopping) {
    throw new Error("The demo catalogue could not be loaded: the lines above say why.");
  }
}

async function waitUntilHealthy(programs: ProcessGroup): Promise<void> {
  const host = webHost();
  const deadline = Date.now() + HEALTH_WITHIN_MS;
  while (Date.now() < deadline && !programs.isStopping) {
    const response = await fetch(`http://${host}:${config.web.port}/healthz`).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, HEALTH_POLL_MS));
  }
  if (!programs.isStopping) throw new Error("The site did not answer within 30 s: the lines above say why.");
}

/** As it stands in an address on this machine. */
function webHost(): string {
  const given = config.web.host ?? "127.0.0.1";
  return given.includes(":") ? `[${given}]` : given;
}

function announce(paymentsOrigin: string | undefined): void {
  console.log(`\n${config.siteName} is at ${config.origin}`);
  const warning = paymentWarning();
  if (warning !== null) console.warn(warning);
  if (!config.isDemo) return;
  if (config.mail.hasOutbox) console.log(`Sign-in mails appear at ${config.origin}/outbox`);
  if (paymentsOrigin) console.log(`Payments are played by a stand-in for Stripe at ${paymentsOrigin}`);
  console.log("People of the demo: member@example.com, subscriber@example.com, owner@example.com\n");
}
