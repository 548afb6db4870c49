import { type SQL, sql } from "drizzle-orm";

/** For a row of uploads: all bytes are on the disk. */
export const HAS_ARRIVED = sql`received_bytes = bytes AND bytes > 0`;

export const IS_NOT_IMPORTED = sql`state IN ('uploading', 'complete')`;

/** For a row of upload_batches: its import has not begun, or has ended. */
export const IS_NOT_RUNNING = sql`(ended_at IS NOT NULL OR began_at IS NULL)`;

/** For the batch with this id: no file is still coming. */
export function hasAllFiles(batchId: SQL): SQL {
  return sql`NOT EXISTS (SELECT FROM uploads WHERE batch_id = ${batchId} AND state = 'uploading')`;
}
