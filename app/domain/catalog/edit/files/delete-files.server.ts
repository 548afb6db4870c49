import { sql } from "drizzle-orm";
import { z } from "zod";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import type { JobPayload } from "#app/domain/jobs/jobs.ts";
import { deleteStored } from "#app/domain/media/storage/media-storage.server.ts";
import { deleteMediaFiles, FILES_STAY_SECONDS } from "#app/domain/media/store-file.server.ts";
import { db, uuids } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { keysOfSteps } from "../../media/encoding-work.server.ts";
import { isServed } from "../../media/served-file.server.ts";
import { lockItems } from "../item/items.server.ts";

const ITEMS_AT_ONCE = 20;
const AGAIN_SECONDS = 3_600;
const isOver = sql`f.retired_at IS NOT NULL AND NOT ${isServed}`;

/** Deletes rows of files that were replaced a day ago. A job of the same transaction deletes the files. */
export async function dropRetiredFiles(): Promise<void> {
  while (await dropSome());
}

const DroppedFile = z.object({ mediaId: text, storageKey: text });

async function dropSome(): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ids = await readRows(tx, text)`
      SELECT DISTINCT f.media_id FROM media_files f WHERE ${isOver} LIMIT ${ITEMS_AT_ONCE}`;
    if (ids.length === 0) return false;
    // Edits lock the item before its files, too.
    await lockItems(tx, ids);
    const gone = await readRows(tx, DroppedFile)`
      DELETE FROM media_files f WHERE f.media_id = ANY(${uuids(ids)}) AND ${isOver}
      RETURNING media_id AS "mediaId", storage_key AS "storageKey"`;
    for (const mediaId of ids) {
      const storageKeys = gone.flatMap((file) => (file.mediaId === mediaId ? [file.storageKey] : []));
      const later = { afterSeconds: FILES_STAY_SECONDS };
      if (storageKeys.length > 0) await enqueue("delete-retired-files", { mediaId, storageKeys }, tx, later);
    }
    return true;
  });
}

/** Deletes only files that no row names, because an item that is imported or encoded again has the same keys. */
export async function deleteRetiredFiles({
  mediaId,
  storageKeys,
}: JobPayload<"delete-retired-files">): Promise<void> {
  await db.transaction(async (tx) => {
    // A deleted draft has no files left, and an import may be storing the same ones before it writes their rows.
    const [item] = await tx.execute(sql`SELECT FROM media WHERE id = ${mediaId} FOR KEY SHARE`);
    if (item === undefined) return;
    // No step can begin meanwhile, and no row names the files of a running one.
    const steps = await readRows(tx, text)`
      SELECT state FROM media_work WHERE media_id = ${mediaId} FOR UPDATE`;
    if (steps.includes("running")) {
      return enqueue("delete-retired-files", { mediaId, storageKeys }, tx, { afterSeconds: AGAIN_SECONDS });
    }
    const named = await readRows(tx, text)`
      SELECT storage_key FROM media_files WHERE media_id = ${mediaId}
        UNION SELECT storage_key FROM media_originals WHERE media_id = ${mediaId}
        UNION ${keysOfSteps(mediaId)}`;
    const kept = new Set(named);
    for (const key of storageKeys) if (!kept.has(key)) await deleteStored(key);
  });
}

/** The row of a draft that was never public goes last: without it, an import may write the files again. */
export async function deleteFilesOf(mediaId: string): Promise<void> {
  const [deleted] = await db.execute(sql`SELECT FROM media WHERE id = ${mediaId} AND status = 'deleted'`);
  if (!deleted) return;
  await deleteMediaFiles(mediaId);
  await db.execute(sql`
    DELETE FROM media WHERE id = ${mediaId} AND status = 'deleted' AND first_published_at IS NULL`);
}
