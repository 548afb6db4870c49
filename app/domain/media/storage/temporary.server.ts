import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const FOLDER = ".incoming";
const ABANDONED_AFTER_MS = 24 * 3600 * 1000;
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/** A fresh name on the media's file system, so that a rename can finish the write. */
export async function temporaryPath(root: string): Promise<string> {
  const folder = join(root, FOLDER);
  await mkdir(folder, { recursive: true });
  return join(folder, `${HOST}-${process.pid}-${randomUUID()}`);
}

/** Calls `use` with a fresh folder, and deletes it afterwards. */
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

/** For another host (a shared volume) only the age tells. */
async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const [host, pid] = name.split("-");
  if (host === HOST) return !isAlive(Number(pid));
  const found = await stat(join(folder, name)).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
