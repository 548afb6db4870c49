import { type SQL, sql } from "drizzle-orm";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db, type Transaction, uuids } from "#db/client.server.ts";
import { queueImport } from "./batches.server.ts";
import { blockedIn, companionsOf } from "./blocked-sets.server.ts";
import { deleteBatchFiles, deletePart, deleteStaged } from "./staged-files.server.ts";
import { LOOSE_FILES, UPLOAD_LIMITS } from "./upload-limits.ts";

const SHOWN_BATCHES = 30;

export type UploadState = "uploading" | "complete" | "takenIn" | "present" | "passedOver" | "refused";

export interface OwnUpload {
  id: string;
  path: string;
  bytes: number;
  receivedBytes: number;
  fingerprint: string;
  state: UploadState;
  note: string | null;
  mediaId: string | null;
}

export interface UploadResult {
  key: string;
  title: string;
  state: UploadState;
  note: string | null;
  mediaId: string | null;
  files: number;
}

export interface OwnBatch {
  id: string;
  createdAt: Date;
  step: "coming" | "waiting" | "running" | "ended";
  /** Anybody's that are imported first. */
  batchesBefore: number;
  importedPart: number;
  problem: string | null;
  mayRetry: boolean;
  /** The refused files that could be left out; `heldBack` then become drafts. */
  inTheWay: number;
  heldBack: number;
  /** Then its incomplete files are deleted, unless more of them comes. */
  keptUntil: Date;
  /** Empty unless files are missing: a thousand imported ones need one line. */
  uploads: OwnUpload[];
  results: UploadResult[];
  files: number;
}

export async function listBatches(userId: string): Promise<OwnBatch[]> {
  const rows = await db.execute<BatchRow>(sql`
    SELECT batch.id, taken_part AS "importedPart", problem,
      extract(epoch FROM created_at)::float8 * 1000 AS "createdAt",
      extract(epoch FROM updated_at + ${KEPT})::float8 * 1000 AS "keptUntil",
      CASE WHEN ended_at IS NOT NULL THEN 'ended' WHEN began_at IS NOT NULL THEN 'running'
        WHEN coming > 0 THEN 'coming' ELSE 'waiting' END AS step,
      CASE WHEN ended_at IS NULL THEN (
        SELECT count(*)::int FROM upload_batches earlier WHERE ended_at IS NULL AND has_files AND id <> batch.id
          AND (began_at IS NOT NULL OR created_at < batch.created_at)
          AND NOT EXISTS (SELECT FROM uploads WHERE batch_id = earlier.id AND state = 'uploading'))
        ELSE 0 END AS "batchesBefore",
      ended_at IS NOT NULL AND has_files AS "mayRetry", uploads
    FROM (
      -- The limit is inside, or the files of all batches would be read.
      SELECT * FROM upload_batches WHERE user_id = ${userId}
      ORDER BY ended_at IS NOT NULL, created_at DESC LIMIT ${SHOWN_BATCHES}) AS batch CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'uploading') AS coming,
        coalesce(json_agg(json_build_object('id', id, 'path', path, 'bytes', bytes, 'receivedBytes', received_bytes,
          'fingerprint', fingerprint, 'state', state, 'note', note, 'mediaId', media_id) ORDER BY position), '[]') AS uploads
      FROM uploads WHERE batch_id = batch.id) AS files
    ORDER BY ended_at IS NOT NULL, created_at DESC`);
  return rows.map((row) => {
    const { inTheWay, heldBack } = blockedIn(row.mayRetry ? row.uploads : []);
    return {
      ...row,
      createdAt: new Date(row.createdAt),
      keptUntil: new Date(row.keptUntil),
      inTheWay: inTheWay.length,
      heldBack: heldBack.length,
      uploads: row.step === "coming" ? row.uploads : [],
      results: resultsOf(row.uploads),
      files: row.uploads.length,
    };
  });
}

type Counted = "inTheWay" | "heldBack" | "results" | "files";

type BatchRow = Omit<OwnBatch, "createdAt" | "keptUntil" | Counted> & {
  [column: string]: unknown;
  createdAt: number;
  keptUntil: number;
};

function resultsOf(uploads: OwnUpload[]): UploadResult[] {
  const results = new Map<string, UploadResult>();
  for (const { path, state, note, mediaId } of uploads) {
    if (state === "uploading" || state === "complete") continue;
    const folder = path.split("/").slice(0, -1).join("/");
    const owner = folder === "" || state === "passedOver" ? path : folder;
    const key = JSON.stringify([mediaId ?? owner, state, note]);
    const known = results.get(key);
    if (known === undefined) results.set(key, { key, title: path, state, note, mediaId, files: 1 });
    else Object.assign(known, { title: folder || LOOSE_FILES, files: known.files + 1 });
  }
  return [...results.values()];
}

export const KEPT = sql`${UPLOAD_LIMITS.keptDays} * interval '1 day'`;

export async function removeUploads(userId: string, uploadIds: string[]): Promise<void> {
  const isOne = sql`id = ANY(${uuids(uploadIds)}) AND state IN ('uploading', 'complete')`;
  await removeFrom(sql`user_id = ${userId}`, isOne);
}

export async function removeAbandoned(): Promise<void> {
  await removeFrom(sql`updated_at < now() - ${KEPT}`, sql`state = 'uploading'`);
}

/** Conditions: `ofBatch` on upload_batches, `isOne` on uploads. */
async function removeFrom(ofBatch: SQL, isOne: SQL): Promise<void> {
  const removed = await db.transaction(async (tx) => {
    const batches = await tx.execute<{ id: string }>(sql`
      SELECT id FROM upload_batches WHERE ${ofBatch} AND ended_at IS NULL AND began_at IS NULL
        AND id IN (SELECT batch_id FROM uploads WHERE ${isOne}) ORDER BY id FOR UPDATE`);
    const gone: { batchId: string; id: string }[] = [];
    for (const { id: batchId } of batches) {
      const rows = await tx.execute<{ id: string; path: string }>(sql`
        DELETE FROM uploads WHERE batch_id = ${batchId} AND ${isOne} RETURNING id, path`);
      // Before a restore they may have been staged already, and the import reads all staged files.
      await deleteStaged(
        batchId,
        rows.map(({ path }) => path),
      );
      for (const { id } of rows) gone.push({ batchId, id });
      await queueImport(tx, batchId);
      await dropEmpty(tx, batchId);
    }
    return gone;
  });
  for (const { batchId, id } of removed) await deletePart(batchId, id);
}

async function dropEmpty(tx: Transaction, batchId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM upload_batches WHERE id = ${batchId}
    AND NOT EXISTS (SELECT FROM uploads WHERE batch_id = ${batchId})`);
}

export async function dismissBatch(userId: string, batchId: string): Promise<void> {
  const gone = await db.execute(sql`
    DELETE FROM upload_batches WHERE id = ${batchId} AND user_id = ${userId}
      AND (ended_at IS NOT NULL OR began_at IS NULL) RETURNING id`);
  if (gone.length > 0) await deleteBatchFiles(batchId);
}

/** In the transaction that deletes the person. A job deletes the files. */
export async function deleteUploadsOf(userId: string, tx: Transaction): Promise<void> {
  const gone = await tx.execute<{ id: string }>(sql`
    WITH gone AS (DELETE FROM upload_batches WHERE user_id = ${userId} RETURNING id, has_files)
    SELECT id FROM gone WHERE has_files`);
  if (gone.length > 0) await enqueue("delete-uploads", { batchIds: gone.map(({ id }) => id) }, tx);
}

export async function retryBatch(userId: string, batchId: string): Promise<void> {
  await db.transaction((tx) => reopen(tx, userId, batchId));
}

export async function goOnWithout(userId: string, batchId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [batch] = await tx.execute(sql`
      SELECT FROM upload_batches WHERE id = ${batchId} AND user_id = ${userId} AND ended_at IS NOT NULL AND has_files
      FOR UPDATE`);
    if (batch === undefined) return;
    const files = await tx.execute<OwnUpload & Record<string, unknown>>(sql`
      SELECT id, path, bytes::float8 AS bytes, received_bytes::float8 AS "receivedBytes", state, note
      FROM uploads WHERE batch_id = ${batchId}`);
    const { inTheWay } = blockedIn([...files]);
    if (inTheWay.length === 0) return;
    // Files go before their rows: a file without a row would hold back its set unseen.
    const gone = [...inTheWay, ...companionsOf(inTheWay, [...files])];
    await deleteStaged(
      batchId,
      gone.map(({ path }) => path),
    );
    await reopen(tx, userId, batchId);
    await tx.execute(sql`DELETE FROM uploads WHERE id = ANY(${uuids(inTheWay.map(({ id }) => id))})`);
  });
}

async function reopen(tx: Transaction, userId: string, batchId: string): Promise<void> {
  const opened = await tx.execute(sql`
    UPDATE upload_batches SET ended_at = NULL, began_at = NULL, taken_part = 0, attempts = 0, problem = NULL,
      updated_at = now()
    WHERE id = ${batchId} AND user_id = ${userId} AND ended_at IS NOT NULL AND has_files RETURNING id`);
  if (opened.length === 0) return;
  await tx.execute(sql`UPDATE uploads SET state = 'complete', note = NULL
    WHERE batch_id = ${batchId} AND state IN ('refused', 'complete') AND received_bytes = bytes AND bytes > 0`);
  await queueImport(tx, batchId);
}
