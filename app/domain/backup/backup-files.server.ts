import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const NAME = /^peony-\d{8}T\d{6}Z\.tar$/;
const UNFINISHED = /^peony-\d{8}T\d{6}Z\.tar\.[0-9a-f]{12}\.part$/;

const MAX_BACKUP_HOURS = 30;

/** "peony-20261124T031500Z.tar", so that names sort by time. */
export function backupName(at: Date): string {
  return `peony-${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.tar`;
}

export async function findNewestBackup(
  dir: string,
): Promise<{ name: string; bytes: number; ageSeconds: number } | null> {
  const name = (await namesOf(dir, NAME)).at(-1);
  if (name === undefined) return null;
  const { size, mtimeMs } = await stat(join(dir, name));
  return { name, bytes: size, ageSeconds: (Date.now() - mtimeMs) / 1_000 };
}

export function isLateBackup({ ageSeconds }: { ageSeconds: number }): boolean {
  return ageSeconds / 3_600 > MAX_BACKUP_HOURS;
}

export async function deleteOldBackups(dir: string, keep: number): Promise<void> {
  await deleteAll(dir, (await namesOf(dir, NAME)).slice(0, -keep));
}

export async function deleteUnfinished(dir: string): Promise<void> {
  await deleteAll(dir, await namesOf(dir, UNFINISHED));
}

async function namesOf(dir: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(dir)).filter((name) => pattern.test(name)).sort();
}

async function deleteAll(dir: string, names: string[]): Promise<void> {
  for (const name of names) await rm(join(dir, name), { force: true });
}
