import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const FOLDER = ".incoming";
const ABANDONED_AFTER_MS = 24 * 3600 * 1000;
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/** In the name instead of the start time, where there is no /proc. */
const UNKNOWN_START = "0";

let own: string | null = null;

/** A fresh name on the media's file system, so that a rename can finish the write. */
export async function temporaryPath(root: string): Promise<string> {
  const folder = join(root, FOLDER);
  await mkdir(folder, { recursive: true });
  own ??= `${HOST}-${process.pid}-${(await startOf(process.pid)) ?? UNKNOWN_START}`;
  return join(folder, `${own}-${randomUUID()}`);
}

export async function inTemporaryFolder<Result>(
  root: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await temporaryPath(root);
  await mkdir(folder);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function sweepTemporary(root: string): Promise<number> {
  const folder = join(root, FOLDER);
  let swept = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!(await isAbandoned(folder, name))) continue;
    await rm(join(folder, name), { recursive: true, force: true });
    swept += 1;
  }
  return swept;
}

/** Another host's processes cannot be seen on a shared volume, so only the age decides. */
async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const [host, pid, start = UNKNOWN_START] = name.split("-");
  if (host === HOST && !(await isAlive(Number(pid), start))) return true;
  const changedAt = await lastChange(join(folder, name));
  return changedAt !== null && Date.now() - changedAt > ABANDONED_AFTER_MS;
}

/** A process ID is reused, in a restarted container even by the same program; its start time is not. */
async function isAlive(pid: number, start: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const found = await startOf(pid);
  return found === null || start === UNKNOWN_START || found === start;
}

/** In ticks since the machine's start; null where there is no /proc. */
async function startOf(pid: number): Promise<string | null> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // The program's name in parentheses may contain spaces and parentheses.
  return status?.slice(status.lastIndexOf(")")).split(" ")[20] ?? null;
}

/** A folder changes with its newest file: an encoding writes one for hours. Null when it is gone. */
async function lastChange(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  const inside = found.isDirectory() ? await readdir(path).catch(() => []) : [];
  const changes = await Promise.all(inside.map((name) => stat(join(path, name)).catch(() => null)));
  return Math.max(found.mtimeMs, ...changes.map((file) => file?.mtimeMs ?? 0));
}
