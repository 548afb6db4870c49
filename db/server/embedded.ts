import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lockFolder } from "./folder-lock.ts";
import { preparePassword, readPassword, rolePassword } from "./password.ts";
import { findPostmaster, isAbandoned, isLockedByStranger } from "./postmaster.ts";
import { findPrograms } from "./programs.ts";
import { initialize, runServer, type Server } from "./run-server.ts";
import { findServerUser } from "./server-user.ts";
import { prepareSiteRole, SITE_DATABASE, SITE_ROLE, SUPERUSER } from "./site-role.ts";
import { AlreadyRunning } from "./start-failure.ts";

/** Time to recover after a crash, or to shut down. */
const MAX_UNCLEAR_MS = 20_000;
const UNCLEAR_POLL_MS = 200;
const ENDED_POLL_MS = 1_000;

export interface EmbeddedDatabase {
  /** Of a role that can only read and write rows. */
  url: string;
  adminUrl: string;
  /** False if another process started it and will stop it. */
  isOwn: boolean;
  stop(): Promise<void>;
  /** Resolves when the server ends unexpectedly, with the failure that it reported. */
  untilEnded(): Promise<string | null>;
}

export function hasEmbeddedDatabase(folder: string): boolean {
  return existsSync(join(folder, "postgres", "PG_VERSION"));
}

/**
 * Joins a server that another process of this installation runs, and waits for one that is ending. stop()
 * leaves a joined server running. Errors are one line with what to do.
 */
export async function startEmbedded(folder: string, flags: string[] = []): Promise<EmbeddedDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (let refusedAt = Infinity; ; await sleep(UNCLEAR_POLL_MS)) {
    const running = await findRunning(folder);
    if (running) return running;
    try {
      return await startOwn(folder, flags);
    } catch (error) {
      // Another process has just started it, or the processes of a killed server are about to end.
      refusedAt = Math.min(refusedAt, Date.now());
      if (!(error instanceof AlreadyRunning) || Date.now() - refusedAt > MAX_UNCLEAR_MS) throw error;
    }
  }
}

/** Asks a server whose starter was killed to end. Nobody else would. */
export async function endAbandoned(folder: string): Promise<void> {
  const postmaster = await findPostmaster(join(folder, "postgres"));
  if (postmaster && (await isAbandoned(postmaster))) process.kill(postmaster.pid, "SIGINT");
}

async function startOwn(folder: string, flags: string[]): Promise<EmbeddedDatabase> {
  const databaseDir = join(folder, "postgres");
  const user = await findServerUser(databaseDir);
  const programs = await findPrograms(user);
  const hasData = hasEmbeddedDatabase(folder);
  const password = await preparePassword(folder, hasData);
  if (!hasData) {
    await createOnce(databaseDir, async (made) => {
      if (user) await chown(made, user.uid, user.gid);
      await initialize({ programs, databaseDir: made, user }, password);
    });
  }
  const port = await findFreePort();
  const lock = await lockFolder(folder, user);
  let server: Server;
  try {
    if (await isLockedByStranger(databaseDir)) await rm(join(databaseDir, "postmaster.pid"));
    server = await runServer({ programs, databaseDir, user, lock }, port, flags);
  } finally {
    // The server has it by now, and gives it back however it ends.
    await lock?.close();
  }
  try {
    return { ...(await prepareAccess(password, port)), isOwn: true, ...server };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** An interrupted start leaves no half-made database; of two concurrent starts the first wins. */
async function createOnce(databaseDir: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const made = await mkdtemp(`${databaseDir}-new-`);
  try {
    await fill(made);
    await rename(made, databaseDir);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
  }
}

async function findRunning(folder: string): Promise<EmbeddedDatabase | null> {
  const databaseDir = join(folder, "postgres");
  for (const deadline = Date.now() + MAX_UNCLEAR_MS; ; await sleep(UNCLEAR_POLL_MS)) {
    const postmaster = await findPostmaster(databaseDir);
    const password = await readPassword(folder);
    if (!postmaster || password === null) return null;
    const access = await prepareAccess(password, postmaster.port).catch(() => null);
    if (access) {
      return { ...access, isOwn: false, stop: async () => {}, untilEnded: () => waitForEnd(databaseDir) };
    }
    if (Date.now() > deadline) {
      throw new Error(
        `The database in ${databaseDir} neither answers nor stops: kill process ${postmaster.pid}, then start again.`,
      );
    }
  }
}

async function waitForEnd(databaseDir: string): Promise<null> {
  while (await findPostmaster(databaseDir)) await sleep(ENDED_POLL_MS, undefined, { ref: false });
  return null;
}

/** Also on a joined server, because its starter may not have done so yet. */
async function prepareAccess(
  password: string,
  port: number,
): Promise<Pick<EmbeddedDatabase, "url" | "adminUrl">> {
  const server = `127.0.0.1:${port}`;
  const sitePassword = rolePassword(password);
  const adminUrl = `postgres://${SUPERUSER}:${password}@${server}/${SITE_DATABASE}`;
  const serverUrl = `postgres://${SUPERUSER}:${password}@${server}/postgres`;
  await prepareSiteRole({ server: serverUrl, database: adminUrl }, sitePassword);
  return { url: `postgres://${SITE_ROLE}:${sitePassword}@${server}/${SITE_DATABASE}`, adminUrl };
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
