import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isReady, starterSetting } from "./postmaster.ts";
import type { Programs } from "./programs.ts";
import type { ServerUser } from "./server-user.ts";
import { breakdown, endFailure, spawnFailure, type Where } from "./start-failure.ts";

/** A fixed locale: otherwise the machine's decides the sort order. */
const INITDB_FLAGS = [
  "--username=postgres",
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--locale=C.UTF-8",
  "--lc-messages=C",
];
/** The default needs /dev/shm, which is missing or tiny in some containers. */
const SHARED_MEMORY = "dynamic_shared_memory_type=sysv";
/** Four web processes and the worker open up to 113. */
const CONNECTIONS = "max_connections=150";
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "lc_messages=C",
  SHARED_MEMORY,
  CONNECTIONS,
];
const READY_POLL_MS = 10;
const KEPT_CHARACTERS = 10_000;

interface Ending {
  code: number | null;
  signal: string | null;
}

export interface Server {
  untilEnded(): Promise<string | null>;
  stop(): Promise<void>;
}

interface Given {
  programs: Programs;
  databaseDir: string;
  user?: ServerUser;
}

/** `databaseDir` must be empty and owned by `user`. */
export async function initialize({ programs, databaseDir, user }: Given, password: string): Promise<void> {
  const passwordFile = await openPassword(`${databaseDir}.password`, password, user);
  try {
    const args = [
      `--pgdata=${dataPath(databaseDir)}`,
      ...INITDB_FLAGS,
      "--set",
      SHARED_MEMORY,
      "--pwfile=/dev/fd/3",
    ];
    const where = { program: programs.initdb, databaseDir };
    const run = launch(where, args, user, passwordFile.fd);
    const { code, signal } = await run.closed;
    if (code !== 0) throw endFailure({ said: run.said(), code, signal }, where);
  } finally {
    await passwordFile.close();
  }
}

/** Resolves once the server accepts connections. Errors are one line with what to do. */
export async function runServer(
  { programs, databaseDir, user, lock }: Given & { lock: FileHandle | null },
  port: number,
  flags: string[],
): Promise<Server> {
  const where = { program: programs.postgres, databaseDir };
  const settings = [...SETTINGS, starterSetting(process.pid)].flatMap((setting) => ["-c", setting]);
  const args = ["-D", dataPath(databaseDir), "-p", String(port), ...settings, ...flags];
  const { child, closed, said } = launch(where, args, user, lock?.fd);
  let end: Ending | undefined;
  const ended = closed.then((ending) => {
    end = ending;
  });
  // A rejection may come while the loop reads the disk; the next turn throws it.
  ended.catch(() => {});
  while (!(await isReady(databaseDir, child.pid))) {
    await Promise.race([sleep(READY_POLL_MS), ended]);
    if (end) throw endFailure({ said: said(), ...end }, where);
  }
  let isStopped = false;
  return {
    async untilEnded() {
      await ended;
      return isStopped ? new Promise(() => {}) : breakdown(said());
    },
    async stop() {
      isStopped = true;
      child.kill("SIGINT");
      await ended;
    },
  };
}

/** On Linux the folder is entered before the user changes: root's server may be unable to traverse the path. */
function dataPath(databaseDir: string): string {
  return process.platform === "linux" ? "/proc/self/cwd" : databaseDir;
}

interface Launched {
  child: ChildProcess;
  closed: Promise<Ending>;
  said(): string;
}

function launch(where: Where, args: string[], user: ServerUser | undefined, extraFd?: number): Launched {
  const options: SpawnOptions = {
    ...user,
    cwd: where.databaseDir,
    stdio: ["ignore", "ignore", "pipe", ...(extraFd === undefined ? [] : [extraFd])],
    // This process's environment holds secrets.
    env: { NODE_ENV: "production", LC_ALL: "C" },
  };
  const child = spawnOrExplain(where, args, options);
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-KEPT_CHARACTERS);
  });
  const closed = once(child, "close").then(
    ([code, signal]) => ({ code, signal }),
    (error) => {
      throw spawnFailure(error, where);
    },
  );
  return { child, closed, said: () => said };
}

/** spawn() throws some failures, and the process emits the others. */
function spawnOrExplain(where: Where, args: string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(where.program, args, options);
  } catch (error) {
    throw spawnFailure(error as NodeJS.ErrnoException, where);
  }
}

/** An unlinked file, which only its owner could read while it had a name. */
async function openPassword(path: string, password: string, user: ServerUser | undefined) {
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  try {
    if (user) await chown(path, user.uid, user.gid);
    return await open(path, "r");
  } finally {
    await rm(path);
  }
}
