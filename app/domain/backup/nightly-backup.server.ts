import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { rowsIn } from "./archive-format.ts";
import { backUp } from "./back-up.server.ts";
import { backupName, deleteOldBackups, deleteUnfinished } from "./backup-files.server.ts";

/** Below the time after which the queue gives a job to another worker, four hours. */
const WITHIN_MS = 3 * 3_600_000;

/** Without the media files, whose copies are made as they are added. Returns null when the host wants none. */
export async function makeNightlyBackup(): Promise<{ rows: number; missingFiles: number } | null> {
  const { dir, keep } = config.backup;
  if (dir === null || config.database.url === undefined) return null;
  await deleteUnfinished(dir);
  const name = backupName(await readDatabaseTime());
  const end = await backUp(config.database.url, join(dir, name), {
    hasMedia: false,
    withinMs: WITHIN_MS,
  });
  await deleteOldBackups(dir, keep);
  return { rows: rowsIn(end), missingFiles: end.missingFiles };
}
