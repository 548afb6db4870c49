import { type SQL, sql } from "drizzle-orm";

/** Reading, hashing and storing a video on a slow machine. */
const BYTES_A_SECOND = 10_000_000;

/** For a row of uploads: all bytes are on the disk. */
export const HAS_ARRIVED = sql`received_bytes = bytes AND bytes > 0`;

export function hasArrived({ receivedBytes, bytes }: { receivedBytes: number; bytes: number }): boolean {
  return receivedBytes === bytes && bytes > 0;
}

export const IS_NOT_IMPORTED = sql`state IN ('uploading', 'complete')`;

export function isNotImported({ state }: { state: string }): boolean {
  return state === "uploading" || state === "complete";
}

/** For a row of upload_batches: its import has not begun, or has ended. */
export const IS_NOT_RUNNING = sql`(ended_at IS NOT NULL OR began_at IS NULL)`;

/** For the batch with this id: no file is still coming. */
function hasAllFiles(batchId: SQL): SQL {
  return sql`NOT EXISTS (SELECT FROM uploads WHERE batch_id = ${batchId} AND state = 'uploading')`;
}

/** For a row of upload_batches: its import can begin or continue. A batch of a killed worker may have its last result already. */
export function canBeImported(batch: SQL): SQL {
  return sql`(${batch}.ended_at IS NULL AND ${batch}.has_files AND ${hasAllFiles(sql`${batch}.id`)} AND (${batch}.began_at IS NOT NULL
    OR EXISTS (SELECT FROM uploads WHERE batch_id = ${batch}.id AND state = 'complete')))`;
}

/** When the batch was declared, plus the seconds that its bytes take. Small batches pass large ones, but only if they come soon after. */
export function importTurn(batch: SQL): SQL {
  return sql`(${batch}.created_at + interval '1 second' *
    (SELECT coalesce(sum(bytes), 0)::float8 / ${BYTES_A_SECOND} FROM uploads WHERE batch_id = ${batch}.id))`;
}

const BEGINS_WITHIN = sql`interval '1 hour'`;
/** For a row of upload_batches. It stays on the list and counts toward no limit. While the person sends another upload, it may still begin. */
export const NEVER_BEGAN = sql`(upload_batches.updated_at < now() - ${BEGINS_WITHIN}
  AND NOT EXISTS (SELECT FROM uploads WHERE batch_id = upload_batches.id AND received_bytes > 0)
  AND NOT EXISTS (SELECT FROM upload_batches other WHERE other.user_id = upload_batches.user_id
    AND other.updated_at >= now() - ${BEGINS_WITHIN}))`;
