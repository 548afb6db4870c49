import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Postmaster {
  pid: number;
  port: number;
}

/** The PostgreSQL that runs on this data folder; null without one, also when a power cut left its file behind. */
export async function findPostmaster(databaseDir: string): Promise<Postmaster | null> {
  const lines = await readFile(join(databaseDir, "postmaster.pid"), "utf8").then(
    (text) => text.split("\n"),
    () => null,
  );
  if (lines === null) return null;
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return (await isPostgres(pid)) ? { pid, port } : null;
}

/** A process id is given out again, after a restart of a container soon; only where /proc exists can one look closer. */
async function isPostgres(pid: number): Promise<boolean> {
  if (!isRunning(pid)) return false;
  if (process.platform !== "linux") return true;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return command.includes("postgres");
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
