import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { ServerUser } from "./server-user.ts";
import { AlreadyRunning } from "./start-failure.ts";

const FILE = "postgres.lock";
/** flock uses this code for nothing else. */
const HELD_CODE = 75;

/**
 * The kernel keeps this lock, because process ids say nothing about another container: decision 185. It lasts
 * until every process that holds the open file has ended. Null off Linux and without util-linux.
 */
export async function lockFolder(folder: string, user: ServerUser | undefined): Promise<FileHandle | null> {
  if (process.platform !== "linux") return null;
  const file = await open(join(folder, FILE), "a", 0o600);
  try {
    // The owner of the data may start the next server.
    if (user) await file.chown(user.uid, user.gid);
    await lockFile(file.fd, folder);
    return file;
  } catch (error) {
    await file.close();
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function lockFile(fd: number, folder: string): Promise<void> {
  const args = ["--nonblock", "--conflict-exit-code", String(HELD_CODE), "3"];
  const flock = spawn("flock", args, { stdio: ["ignore", "ignore", "pipe", fd] });
  let said = "";
  flock.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code, signal] = await once(flock, "close");
  if (code === HELD_CODE) {
    throw new AlreadyRunning(
      `The database in ${folder} is in use by another container or machine, or by processes of a killed server: stop those first, or wait. To run a command beside a site, use docker exec.`,
    );
  }
  if (code !== 0) {
    const reason = said.replaceAll(/\s+/g, " ").trim() || (signal ?? code);
    throw new Error(
      `The built-in database cannot start: ${folder} cannot be locked (${reason}): choose another DATA_DIR, or set DATABASE_URL.`,
    );
  }
}
