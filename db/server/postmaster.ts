import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export interface Postmaster {
  pid: number;
  port: number;
}

/** Zero-based lines of postmaster.pid. */
const PORT_LINE = 3;
const STATUS_LINE = 7;
/** A parameter of the server's command line, with the id of the process that started it. */
const STARTER = "peony.starter";

export function starterSetting(pid: number): string {
  return `${STARTER}=${pid}`;
}

/** Null without a server, even if a power cut left its file behind. */
export async function findPostmaster(databaseDir: string): Promise<Postmaster | null> {
  const lines = await readLock(databaseDir);
  if (lines === null) return null;
  const [pid, port] = [Number(lines[0]), Number(lines[PORT_LINE])];
  return (await isPostgres(pid, databaseDir)) ? { pid, port } : null;
}

/** Whether its starter was killed and left it running; only Linux can tell. */
export async function isAbandoned({ pid }: Postmaster): Promise<boolean> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
  const starter = new RegExp(`${STARTER}=(\\d+)`).exec(await read("cmdline"))?.[1];
  const parent = /^PPid:\s+(\d+)/m.exec(await read("status"))?.[1];
  return starter !== undefined && parent !== undefined && parent !== starter;
}

export async function isReady(databaseDir: string, pid: number | undefined): Promise<boolean> {
  const lines = await readLock(databaseDir);
  return Number(lines?.[0]) === pid && lines?.[STATUS_LINE]?.trim() === "ready";
}

/**
 * After a power cut or a container restart, an unrelated process may have the server's process id. PostgreSQL
 * takes it for a server, and does not start.
 */
export async function isLockedByStranger(databaseDir: string): Promise<boolean> {
  const pid = Number((await readLock(databaseDir))?.[0]);
  return isRunning(pid) && !(await isPostgres(pid, databaseDir));
}

function readLock(databaseDir: string): Promise<string[] | null> {
  return readFile(join(databaseDir, "postmaster.pid"), "utf8").then(
    (text) => text.split("\n"),
    () => null,
  );
}

async function isPostgres(pid: number, databaseDir: string): Promise<boolean> {
  if (!isRunning(pid)) return false;
  if (process.platform !== "linux") return true;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return command.includes("postgres") && (await isSameFolder(`/proc/${pid}/cwd`, databaseDir));
}

/**
 * In most containers, root cannot read another user's working folder. Such a server counts as this folder's:
 * taking the lock away from a running server would break its data.
 */
async function isSameFolder(cwd: string, databaseDir: string): Promise<boolean> {
  const own = await stat(databaseDir).catch(() => null);
  try {
    const other = await stat(cwd);
    return own?.ino === other.ino && own?.dev === other.dev;
  } catch (error) {
    return ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}

export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
