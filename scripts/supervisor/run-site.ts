import { setTimeout as sleep } from "node:timers/promises";
import { config } from "#app/config.server.ts";
import { outboxKey } from "#app/domain/keys/keys.server.ts";
import { type EmbeddedDatabase, endAbandoned, startEmbedded } from "#db/server/embedded.ts";
import { DEMO_PEOPLE } from "#demo/seed/demo-people.ts";
import { openFolderWarning, prepareDataFolder } from "./data-folder.ts";
import { prepareDemoPayments } from "./demo-payments.ts";
import { requireClosedStore } from "./object-store.ts";
import { UNHEARD } from "./pooler.ts";
import { findSitePort, requireFreePort } from "./port.ts";
import { ProcessGroup, type Program } from "./processes.ts";
import { markRealFolder, requireNoRealSite } from "./real-site.ts";
import { NO_CONTACT_ADDRESS, openPortWarning } from "./start-warnings.ts";

const HEALTH_POLL_MS = 50;
const OTHER_ENDS_WITHIN_MS = 15_000;
const OTHER_POLL_MS = 250;
const USUALLY_HEALTHY_WITHIN_MS = 30_000;
/** A small computer needs minutes for its first start. */
const HEALTHY_WITHIN_MS = 300_000;
/** Compilation blocks the event loop, so the database's answers are read late. */
const DEVELOPMENT = { DATABASE_TIMEOUT_MS: process.env.DATABASE_TIMEOUT_MS ?? "30000" };
/** With a failure code, a container restarts the site and its database. */
const DATABASE_ENDED_CODE = 1;
const DATABASE_ENDED =
  "The built-in database stopped unexpectedly, and the site with it: start the site again. Is the disk or the memory full?";
const EMPTY_SITE =
  "It has no members or media yet. If it should have some, stop it and correct DATABASE_URL or DATA_DIR.";
const AS_ROOT =
  "nginx and the site run as root, because root started them: start the site as a user of its own.";
const REMIX_CLI = "node_modules/@remix-run/dev/dist/cli.js";

export async function runSite({ isDevelopment }: { isDevelopment: boolean }): Promise<void> {
  const hasStarter = process.connected;
  prepareDataFolder(config.dataDir);
  if (config.isDemo) requireNoRealSite(config.dataDir);
  await requireFreePort(config.web.port, config.web.host);
  const groups: Groups = {
    front: new ProcessGroup(),
    web: new ProcessGroup(),
    programs: new ProcessGroup(),
    payments: new ProcessGroup(),
  };
  const opening = openDatabase(groups.programs);
  const preparing = import("./prepare-database.ts");
  let isServing = false;
  // nginx finishes what it has passed on, running programs need the payment provider, and all of them need
  // the database.
  const stopAll = async ({ isPlanned }: { isPlanned: boolean }) => {
    if (isServing) groups.web.signal("SIGUSR2");
    // With several copies, the balancer leaves this one before its port closes.
    if (isPlanned && isServing) await sleep(config.web.drainSeconds * 1000);
    await Promise.all([groups.front.stop().then(() => groups.web.stop()), groups.programs.stop()]);
    await groups.payments.stop();
    await opening.then(
      (database) => database.stop(),
      () => {},
    );
  };
  const end = endOnSignal(stopAll, hasStarter);
  const database = await opening;
  if (groups.programs.isStopping) return;
  void database.untilEnded().then((broken) => {
    const said = broken === null ? DATABASE_ENDED : `${DATABASE_ENDED} PostgreSQL said: ${broken}`;
    end({ said, exitCode: DATABASE_ENDED_CODE });
  });
  try {
    await requireClosedStore();
    await runPrograms(groups, { database, preparing, isDevelopment });
    isServing = !isDevelopment;
  } catch (error) {
    if (groups.programs.isStopping) return;
    await stopAll({ isPlanned: false });
    throw error;
  }
}

/** Only the first call has an effect. */
type End = (reason?: { said: string; exitCode: number }) => void;

function endOnSignal(stopAll: (how: { isPlanned: boolean }) => Promise<void>, hasStarter: boolean): End {
  let isEnding = false;
  const end: End = (reason) => {
    if (isEnding) return;
    isEnding = true;
    if (reason) console.error(reason.said);
    void stopAll({ isPlanned: reason === undefined }).finally(() => process.exit(reason?.exitCode ?? 0));
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => end());
  }
  if (hasStarter && !process.connected) end();
  process.once("disconnect", () => end());
  return end;
}

interface Given {
  database: Pick<EmbeddedDatabase, "url" | "adminUrl">;
  preparing: Promise<typeof import("./prepare-database.ts")>;
  isDevelopment: boolean;
}

type Groups = Record<"front" | "web" | "programs" | "payments", ProcessGroup>;

async function runPrograms(
  { front, web, programs, payments }: Groups,
  { database, preparing, isDevelopment }: Given,
): Promise<void> {
  const { prepareDatabase } = await preparing;
  const { needsDemo, isEmptySite, hasStoredContact } = await prepareDatabase(database.adminUrl, config);
  if (!config.isDemo) await markRealFolder(config.dataDir);
  const demoPayments = await prepareDemoPayments(webHost());
  const hasFront = config.web.hasFront && !isDevelopment;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: isDevelopment ? "development" : "production",
    FRONT: hasFront ? "nginx" : "none",
    HOST: config.web.host,
    PORT: String(config.web.port),
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: config.database.directUrl ?? "",
    DATABASE_PASSWORD: "",
    WEB_PROCESSES: String(config.web.processes ?? ""),
    ...demoPayments?.settings,
    ...(isDevelopment ? DEVELOPMENT : {}),
  };
  const argsOf = isDevelopment ? sourceOf : builtOf;
  if (needsDemo || demoPayments?.isNewProvider)
    await seed(programs, { name: "seed", args: argsOf("seed-demo"), env });
  if (programs.isStopping) return;
  const devServer = [REMIX_CLI, "vite:dev", "--port", String(config.web.port), "--logLevel", "warn"];
  const behindFront = hasFront ? await planFront() : null;
  web.keepRunning({
    name: "web",
    args: isDevelopment ? devServer : builtOf("web"),
    env: { ...env, ...behindFront?.settings },
  });

  await waitUntilHealthy(web, behindFront?.siteAddress ?? webAddress());
  if (programs.isStopping) return;
  if (behindFront) {
    const { program, remove } = behindFront.prepare(env);
    process.once("exit", remove);
    front.keepRunning(program);
    await waitUntilHealthy(front, webAddress());
  }
  if (programs.isStopping) return;
  const { paymentWarnings } = await import("#app/domain/billing/providers/providers.server.ts");
  announce({ demoPayments, warnings: paymentWarnings(), isEmptySite, hasStoredContact });
  if (config.database.directUrl !== undefined) void warnWhenUnheard(config.database.directUrl);
  // Last, because people wait for the first page, and nobody waits for the first job or payment.
  if (demoPayments) {
    const seeded = needsDemo ? ["--seed"] : [];
    const args = [...argsOf(demoPayments.program), ...demoPayments.flags, ...seeded];
    payments.keepRunning({ name: "payments", args, env });
  }
  programs.keepRunning({ name: "worker", args: argsOf("worker"), env });
}

async function planFront() {
  const [{ prepareFront }, sitePort] = await Promise.all([import("./front.ts"), findSitePort()]);
  const { origin, isDemo, media, web } = config;
  const given = {
    ...{ origin, isDemo, media: media.dir, hasStore: media.s3 !== null },
    trustedProxies: web.trustedProxies,
  };
  return {
    settings: { HOST: "127.0.0.1", PORT: String(sitePort), FRONT_PORT: String(web.port) },
    siteAddress: `127.0.0.1:${sitePort}`,
    prepare: (env: NodeJS.ProcessEnv) =>
      prepareFront({ ...given, host: web.host, port: web.port, sitePort }, env),
  };
}

/** The built-in database is reached directly. */
async function warnWhenUnheard(url: string): Promise<void> {
  const { hearsAnnouncements } = await import("#app/domain/announcements/listen.server.ts");
  if (!(await hearsAnnouncements(url).catch(() => true))) console.warn(UNHEARD);
}

async function openDatabase(programs: ProcessGroup): Promise<Omit<EmbeddedDatabase, "isOwn">> {
  const { url, directUrl } = config.database;
  if (url && directUrl) {
    const { checkAddresses } = await import("./check-addresses.ts");
    await checkAddresses(url, directUrl);
    return { url, adminUrl: directUrl, stop: async () => {}, untilEnded: () => new Promise(() => {}) };
  }
  for (const deadline = Date.now() + OTHER_ENDS_WITHIN_MS; ; ) {
    const database = await startEmbedded(config.dataDir);
    // A joined database does not stop with this process.
    if (database.isOwn || programs.isStopping) return database;
    await endAbandoned(config.dataDir);
    // The other process would end the database with itself.
    if (Date.now() > deadline) {
      throw new Error(
        `Another Peony uses the data folder ${config.dataDir}: stop it first, or set DATA_DIR.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, OTHER_POLL_MS));
  }
}

/** In a process of its own, because this one was configured before the database had an address. */
async function seed(programs: ProcessGroup, program: Program): Promise<void> {
  const isDone = await programs.run(program);
  if (!isDone && !programs.isStopping) {
    throw new Error("The demo catalog could not be loaded: the lines above say why.");
  }
}

function builtOf(program: string): string[] {
  return [`build/scripts/${program}.js`];
}

function sourceOf(program: string): string[] {
  return ["--import", "tsx", `scripts/${program}.ts`];
}

/** Waits for minutes as long as the group's programs run. */
async function waitUntilHealthy(group: ProcessGroup, address: string): Promise<void> {
  const startedAt = Date.now();
  let isSaid = false;
  while (!group.isStopping) {
    // A connection that is accepted but never answered would hold the start for minutes.
    const signal = AbortSignal.timeout(USUALLY_HEALTHY_WITHIN_MS);
    const response = await fetch(`http://${address}/healthz`, { signal }).catch(() => null);
    if (response?.ok) return;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > (group.hasRestarted ? USUALLY_HEALTHY_WITHIN_MS : HEALTHY_WITHIN_MS)) {
      const seconds = Math.round(waitedMs / 1000);
      throw new Error(`The site did not answer within ${seconds} s: the lines above say why.`);
    }
    if (waitedMs > USUALLY_HEALTHY_WITHIN_MS && !isSaid) {
      isSaid = true;
      console.error(
        `The site does not answer yet. Its processes are starting, which takes long on a small or busy computer; the start waits for ${HEALTHY_WITHIN_MS / 60_000} minutes.`,
      );
    }
    await sleep(HEALTH_POLL_MS);
  }
}

function webAddress(): string {
  return `${webHost()}:${config.web.port}`;
}

function webHost(): string {
  const given = config.web.host ?? "127.0.0.1";
  return given.includes(":") ? `[${given}]` : given;
}

function announce({
  demoPayments,
  warnings,
  isEmptySite,
  hasStoredContact,
}: {
  demoPayments: Awaited<ReturnType<typeof prepareDemoPayments>>;
  warnings: string[];
  isEmptySite: boolean;
  hasStoredContact: boolean;
}): void {
  console.log(`\nThe site is at ${config.origin}`);
  for (const warning of warnings) console.warn(warning);
  if (config.web.hasFront && process.getuid?.() === 0) console.warn(AS_ROOT);
  if (!config.isDemo) {
    if (config.contactEmail === "" && !hasStoredContact) console.warn(NO_CONTACT_ADDRESS);
    for (const open of [openPortWarning(), openFolderWarning(config.dataDir)])
      if (open !== null) console.warn(open);
    console.log(`It listens on port ${config.web.port}, and its files are in ${config.dataDir}`);
    if (isEmptySite) console.log(EMPTY_SITE);
    return;
  }
  if (config.mail.hasOutbox)
    console.log(`Sign-in emails appear at ${config.origin}/outbox?key=${outboxKey()}`);
  if (demoPayments)
    console.log(`A stand-in for ${demoPayments.name} simulates payments at ${demoPayments.controlUrl}`);
  console.log(`Demo accounts: ${DEMO_PEOPLE.map(({ email }) => email).join(", ")}\n`);
}
