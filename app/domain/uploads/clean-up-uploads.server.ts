import { sql } from "drizzle-orm";
import { UUID } from "#app/texts.ts";
import { db, uuids } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { findUploader, NO_RIGHT } from "./import-uploads.server.ts";
import { KEPT, removeAbandoned } from "./own-batches.server.ts";
import { deleteBatchFiles, listOldFolders } from "./staged-files.server.ts";
import { IS_NOT_IMPORTED, IS_NOT_RUNNING } from "./upload-conditions.server.ts";

/** A piece that is still arriving may write to the folder of a batch that was just removed. */
const UNKNOWN_AFTER_MS = 2 * 3_600_000;

/** Deletes abandoned and refused files after days, files of people without the role, and folders without rows. The rest of a batch is imported. */
export async function cleanUpUploads(): Promise<void> {
  await endForbidden();
  await removeAbandoned();
  const isOld = sql`updated_at < now() - ${KEPT}`;
  await db.execute(sql`
    DELETE FROM upload_batches WHERE ${isOld} AND ended_at IS NOT NULL AND problem IS NULL
      AND NOT EXISTS (SELECT FROM uploads WHERE batch_id = upload_batches.id AND state = 'refused')`);
  await db.execute(sql`UPDATE upload_batches SET has_files = false
    WHERE ${isOld} AND ended_at IS NOT NULL AND has_files`);
  const folders = (await listOldFolders(UNKNOWN_AFTER_MS)).filter((name) => UUID.test(name));
  if (folders.length === 0) return;
  const known = await readRows(db, text)`
    SELECT id FROM upload_batches WHERE has_files AND id = ANY(${uuids(folders)})`;
  for (const batchId of folders) if (!known.includes(batchId)) await deleteBatchFiles(batchId);
}

async function endForbidden(): Promise<void> {
  const people = await readRows(db, text)`SELECT DISTINCT user_id FROM upload_batches WHERE has_files`;
  for (const userId of people) {
    if ((await findUploader(userId)) !== null) continue;
    const ended = await db.transaction(async (tx) => {
      const ids = await readRows(tx, text)`
        UPDATE upload_batches SET has_files = false, ended_at = coalesce(ended_at, now()), updated_at = now(),
          problem = CASE WHEN ended_at IS NULL THEN ${NO_RIGHT} ELSE problem END
        WHERE user_id = ${userId} AND has_files AND ${IS_NOT_RUNNING} RETURNING id`;
      await tx.execute(sql`
        DELETE FROM uploads WHERE batch_id = ANY(${uuids(ids)}) AND ${IS_NOT_IMPORTED}`);
      return ids;
    });
    for (const batchId of ended) await deleteBatchFiles(batchId);
  }
}
