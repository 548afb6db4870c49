import type { Stats } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { config } from "#app/config.server.ts";
import { syncFolder } from "#app/domain/media/storage/file-calls.server.ts";
import { LOOSE_FILES } from "./upload-limits.ts";

/** In the media folder, so that files are moved without copying. Not served: no storage key begins with a dot. */
const FOLDER = ".uploads";
const FOLDER_MODE = 0o750;

const root = () => join(config.media.dir, FOLDER);
const batchFolder = (batchId: string) => join(root(), batchId);
const partsFolder = (batchId: string) => join(batchFolder(batchId), "parts");

/** Named by an id, never by what a person chose. */
export function partPath(batchId: string, uploadId: string): string {
  return join(partsFolder(batchId), uploadId);
}

export function stagedFolder(batchId: string): string {
  return join(batchFolder(batchId), "chosen");
}

/** Also the import's label. Loose files are never beside a chosen folder of the same name. */
export function stagedPath(path: string): string {
  return path.includes("/") ? join("folders", path) : join("loose", LOOSE_FILES, path);
}

export async function makePartsFolder(batchId: string): Promise<void> {
  await mkdir(partsFolder(batchId), { recursive: true, mode: FOLDER_MODE });
}

export async function syncPartsFolder(batchId: string): Promise<void> {
  await syncFolder(partsFolder(batchId));
}

/** 0 after a restore: backups hold no uploads. */
export async function storedBytes(batchId: string, uploadId: string): Promise<number> {
  return (await find(partPath(batchId, uploadId)))?.size ?? 0;
}

/** Gives complete files their own names for the import. `path` has passed pathProblem(). Safe to repeat. */
export async function stageFiles(
  batchId: string,
  files: { id: string; path: string }[],
): Promise<{ missing: string[] }> {
  const missing: string[] = [];
  for (const { id, path } of files) {
    const [part, target] = [partPath(batchId, id), join(stagedFolder(batchId), stagedPath(path))];
    if ((await find(part)) === null) {
      if ((await find(target)) === null) missing.push(id);
      continue;
    }
    await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
    await rename(part, target);
  }
  return { missing };
}

export async function deletePart(batchId: string, uploadId: string): Promise<void> {
  await rm(partPath(batchId, uploadId), { force: true });
}

export async function deleteStaged(batchId: string, paths: string[]): Promise<void> {
  for (const path of paths) await rm(join(stagedFolder(batchId), stagedPath(path)), { force: true });
}

export async function deleteBatchFiles(batchId: string): Promise<void> {
  await rm(batchFolder(batchId), { recursive: true, force: true });
}

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
