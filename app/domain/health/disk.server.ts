import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { config } from "#app/config.server.ts";
import { DISK_RESERVE_BYTES } from "#app/domain/media/storage/disk-full.ts";

export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
  isLow: boolean;
}

const MIN_FREE = { bytes: 5e9, share: 0.05 };
/** An alarm on a small or huge disk could never end otherwise, or only once a great part of it is empty. */
const ENOUGH_FREE = { bytes: 50e9, share: 0.2 };
/** Before uploads are refused and encoding waits, but not on a disk that would be half empty. */
const MIN_BEFORE_RESERVE = { bytes: 1.5 * DISK_RESERVE_BYTES, share: 0.5 };

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const [freeBytes, totalBytes] = [bavail * bsize, blocks * bsize];
  return { freeBytes, totalBytes, isLow: freeBytes < neededBytes(totalBytes) };
}

/** The folder does not exist before the first file. */
export function readMediaSpace(): Promise<DiskSpace> {
  let folder = config.media.workDir;
  while (!existsSync(folder)) folder = dirname(folder);
  return readDiskSpace(folder);
}

export function neededBytes(totalBytes: number): number {
  const minBytes = Math.max(MIN_FREE.bytes, MIN_FREE.share * totalBytes);
  const beforeReserve = Math.min(MIN_BEFORE_RESERVE.bytes, MIN_BEFORE_RESERVE.share * totalBytes);
  return Math.min(minBytes, ENOUGH_FREE.bytes, Math.max(ENOUGH_FREE.share * totalBytes, beforeReserve));
}
