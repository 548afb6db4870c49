import { readMediaSpace } from "#app/domain/health/disk.server.ts";
import { ImportRefusal } from "#app/domain/media/import/refusal.ts";
import { DISK_RESERVE_BYTES } from "#app/domain/media/storage/disk-full.ts";
import { sizeText } from "#app/sizes.ts";

/** The original, and as much again for the first files that are made from it. */
export const IMPORT_COPIES = 2;

/** Throws an ImportRefusal before anything is written. `dryRunBytes`: of earlier items that a dry run has not stored. */
export async function requireSpace(label: string, bytes: number, dryRunBytes: number): Promise<void> {
  const { freeBytes } = await readMediaSpace();
  const needed = IMPORT_COPIES * bytes;
  const free = Math.max(0, freeBytes - DISK_RESERVE_BYTES - IMPORT_COPIES * dryRunBytes);
  if (needed <= free) return;
  throw new ImportRefusal(
    label,
    `it needs ${sizeText(needed)} with the files that are made from it, and the disk has ${sizeText(free)} left: free some space`,
  );
}
