import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { readDiskSpace } from "#app/domain/health/disk.server.ts";
import { DISK_RESERVE_BYTES } from "#app/domain/media/storage/disk-full.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { BackupError, rowsIn } from "./archive-format.ts";
import { backUp } from "./back-up.server.ts";
import { backupName, deleteOldBackups, deleteUnfinished, findNewestBackup } from "./backup-files.server.ts";

/** Below the time after which the queue gives a job to another worker, four hours. */
export const BACKUP_WITHIN_MS = 3 * 3_600_000;

/** Without the media files, whose copies are made as they are added. Returns null when the host wants none. */
export async function makeNightlyBackup(): Promise<{ rows: number; missingFiles: number } | null> {
  const { dir, keep } = config.backup;
  if (dir === null || config.database.directUrl === undefined) return null;
  await deleteUnfinished(dir);
  // A lower BACKUP_KEEP makes room for this one.
  await deleteOldBackups(dir, keep);
  await requireRoom(dir);
  const name = backupName(await readDatabaseTime());
  const end = await backUp(config.database.directUrl, join(dir, name), {
    hasMedia: false,
    withinMs: BACKUP_WITHIN_MS,
  });
  await deleteOldBackups(dir, keep);
  return { rows: rowsIn(end), missingFiles: end.missingFiles };
}

/** Throws a BackupError for a disk that another backup of the newest one's size would fill. */
async function requireRoom(dir: string): Promise<void> {
  const newest = await findNewestBackup(dir);
  const { freeBytes } = await readDiskSpace(dir);
  if (freeBytes >= DISK_RESERVE_BYTES + (newest?.bytes ?? 0)) return;
  throw new BackupError(
    "The folder of BACKUP_DIR has no room for another backup and the 1 GB that stays free",
  );
}
