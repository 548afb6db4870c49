import { existsSync } from "node:fs";
import { config } from "#app/config.server.ts";
import { DISK_RESERVE_BYTES, readDiskSpace } from "#app/domain/health/disk.server.ts";
import { ImportRefusal } from "#app/domain/media/intake/refusal.ts";
import { sizeText } from "#app/sizes.ts";

/** An original, and as much again for what is made of it at once. */
export const IMPORT_COPIES = 2;

/** Throws a Refusal before anything is written. `dryRunBytes`: of earlier items that a dry run has not stored. */
export async function requireSpace(label: string, bytes: number, dryRunBytes: number): Promise<void> {
  const folder = [config.media.dir, config.dataDir].find((path) => existsSync(path));
  if (folder === undefined) return;
  const { freeBytes } = await readDiskSpace(folder);
  const needed = IMPORT_COPIES * bytes;
  const free = Math.max(0, freeBytes - DISK_RESERVE_BYTES - IMPORT_COPIES * dryRunBytes);
  if (needed <= free) return;
  throw new ImportRefusal(
    label,
    `it needs ${sizeText(needed)} with what is made of it, and the disk has ${sizeText(free)} for it: free some`,
  );
}
