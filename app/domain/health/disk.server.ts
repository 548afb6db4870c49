import { statfs } from "node:fs/promises";

export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
  /** Too little for the next imports and backups. */
  isLow: boolean;
}

/** Stays free whatever is written: a full disk ends a site with the built-in database. */
export const DISK_RESERVE_BYTES = 1e9;

const MIN_FREE_BYTES = 5e9;
const MIN_FREE_SHARE = 0.05;

/** The disk that holds the folder. Throws when the folder cannot be read. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const isLow = freeBytes < MIN_FREE_BYTES || bavail / blocks < MIN_FREE_SHARE;
  return { freeBytes, totalBytes: blocks * bsize, isLow };
}
