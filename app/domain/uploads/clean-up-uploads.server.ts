import { sql } from "drizzle-orm";
import { UUID } from "#app/domain/catalog/media/served-file.server.ts";
import { db } from "#db/client.server.ts";
import { KEPT, removeAbandoned } from "./own-batches.server.ts";
import { deleteBatchFiles, listOldFolders } from "./staged-files.server.ts";

/** A form without JavaScript writes its files before their rows; it has two minutes. */
const UNKNOWN_AFTER_MS = 2 * 3_600_000;

/**
 * Deletes files that nothing has come for in days, the files of refusals that nobody has tried again, and folders whose
 * rows are gone, as after the deletion of an account. Files that have arrived are taken in without those that are missing.
 */
export async function cleanUpUploads(): Promise<void> {
  await removeAbandoned();
  const isOld = sql`updated_at < now() - ${KEPT}`;
  await db.execute(sql`
    DELETE FROM upload_batches WHERE ${isOld} AND ended_at IS NOT NULL AND problem IS NULL
      AND NOT EXISTS (SELECT FROM uploads WHERE batch_id = upload_batches.id AND state = 'refused')`);
  await db.execute(sql`UPDATE upload_batches SET has_files = false
    WHERE ${isOld} AND ended_at IS NOT NULL AND has_files`);
  const folders = (await listOldFolders(UNKNOWN_AFTER_MS)).filter((name) => UUID.test(name));
  if (folders.length === 0) return;
  const kept = await db.execute<{ id: string }>(sql`
    SELECT id FROM upload_batches WHERE has_files AND id = ANY(${sql.param(`{${folders.join()}}`)}::uuid[])`);
  const known = new Set(kept.map(({ id }) => id));
  for (const batchId of folders) if (!known.has(batchId)) await deleteBatchFiles(batchId);
}
