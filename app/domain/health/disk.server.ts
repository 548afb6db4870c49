import { statfs } from "node:fs/promises";

export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
  /** Too little for the next imports and backups. */
  isLow: boolean;
}

const MIN_FREE_BYTES = 5e9;
const MIN_FREE_SHARE = 0.05;

/** The disk that holds the folder. Throws when the folder cannot be read. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  const isLow = freeBytes < MIN_FREE_BYTES || bavail / blocks < MIN_FREE_SHARE;
  return { freeBytes, totalBytes: blocks * bsize, isLow };
}

const UNITS = [
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
] as const;

/** "120 GB", "3.4 MB", "7 bytes" */
export function sizeText(bytes: number): string {
  const [size, name] = UNITS.find(([unit]) => bytes >= unit) ?? [1, bytes === 1 ? "byte" : "bytes"];
  const value = bytes / size;
  return `${value.toFixed(size === 1 || value >= 10 ? 0 : 1)} ${name}`;
}
