import type { Stats } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { config } from "#app/config.server.ts";
import { LOOSE_FILES } from "./upload-limits.ts";

/**
 * On the file system of the media folder, where a finished file is moved without copying. No storage key begins with a dot,
 * so nothing below it can be served. Not the folder of temporary files, which is swept after a day.
 */
const FOLDER = ".uploads";
/** No name of a batch: nginx keeps the forms without scripts in it, as files without a name, until the site has read them. */
const FORM_BODIES = "forms";

const root = () => join(config.media.dir, FOLDER);
const batchFolder = (batchId: string) => join(root(), batchId);
const partsFolder = (batchId: string) => join(batchFolder(batchId), "parts");

export function formBodiesFolder(mediaDir: string): string {
  return join(mediaDir, FOLDER, FORM_BODIES);
}

/** The file that pieces are written into. Its name is an id, never what a person chose. */
export function partPath(batchId: string, uploadId: string): string {
  return join(partsFolder(batchId), uploadId);
}

/** The folder that the import reads. */
export function intakeFolder(batchId: string): string {
  return join(batchFolder(batchId), "chosen");
}

/** Where a file lies in it, which is how the import names it: loose files never beside a chosen folder of the same name. */
export function stagedPath(path: string): string {
  return path.includes("/") ? join("folders", path) : join("loose", LOOSE_FILES, path);
}

export async function makePartsFolder(batchId: string): Promise<void> {
  const folder = partsFolder(batchId);
  await mkdir(folder, { recursive: true, mode: 0o750 });
}

/** Makes the name of a new file last through a loss of power. */
export async function syncPartsFolder(batchId: string): Promise<void> {
  const handle = await open(partsFolder(batchId), "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** 0 for a file that is not there, as after a restore: uploads are not part of a backup. */
export async function storedBytes(batchId: string, uploadId: string): Promise<number> {
  return (await find(partPath(batchId, uploadId)))?.size ?? 0;
}

/** Moves complete files to their own names for the import. `path` has passed pathProblem(). May run again after a kill. */
export async function moveForIntake(
  batchId: string,
  files: { id: string; path: string }[],
): Promise<{ missing: string[] }> {
  const missing: string[] = [];
  for (const { id, path } of files) {
    const [part, target] = [partPath(batchId, id), join(intakeFolder(batchId), stagedPath(path))];
    if ((await find(part)) === null) {
      if ((await find(target)) === null) missing.push(id);
      continue;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o750 });
    await rename(part, target);
  }
  return { missing };
}

export async function deletePart(batchId: string, uploadId: string): Promise<void> {
  await rm(partPath(batchId, uploadId), { force: true });
}

/** Only while the batch is not being taken in. */
export async function deleteStaged(batchId: string, paths: string[]): Promise<void> {
  for (const path of paths) await rm(join(intakeFolder(batchId), stagedPath(path)), { force: true });
}

export async function deleteBatchFiles(batchId: string): Promise<void> {
  await rm(batchFolder(batchId), { recursive: true, force: true });
}

/** Names of folders that have not changed for this long. */
export async function listOldFolders(minAgeMs: number): Promise<string[]> {
  const old: string[] = [];
  for (const name of await readdir(root()).catch(() => [])) {
    const found = await find(join(root(), name));
    if (found !== null && Date.now() - found.mtimeMs > minAgeMs) old.push(name);
  }
  return old;
}

async function find(path: string): Promise<Stats | null> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
}
