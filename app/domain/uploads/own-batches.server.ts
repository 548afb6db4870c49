import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db, type Transaction, uuids } from "#db/client.server.ts";
import { flag, number, readOne, readRows, text, timestamp } from "#db/rows.ts";
import { uploadState } from "#db/schema/uploads.ts";
import { queueImport, tooManyProblem } from "./batches.server.ts";
import { blockedIn, companionsOf } from "./blocked-sets.server.ts";
import { deleteBatchFiles, deletePart, deleteStaged } from "./staged-files.server.ts";
import {
  canBeImported,
  HAS_ARRIVED,
  IS_NOT_IMPORTED,
  IS_NOT_RUNNING,
  importTurn,
  isNotImported,
} from "./upload-conditions.server.ts";
import { LOOSE_FILES, UPLOAD_LIMITS } from "./upload-limits.ts";

const SHOWN_BATCHES = 30;
const MAY_RETRY = sql`ended_at IS NOT NULL AND has_files`;

const IS_TRIED_AGAIN = sql`state IN ('refused', 'complete') AND ${HAS_ARRIVED}`;

const OwnUpload = z.object({
  id: text,
  path: text,
  bytes: number,
  receivedBytes: number,
  fingerprint: text,
  state: z.enum(uploadState.enumValues),
  note: text.nullable(),
  mediaId: text.nullable(),
});
export type OwnUpload = z.infer<typeof OwnUpload>;
export type UploadState = OwnUpload["state"];

export interface UploadResult {
  key: string;
  title: string;
  state: UploadState;
  note: string | null;
  mediaId: string | null;
  files: number;
}

const BatchRow = z.object({
  id: text,
  createdAt: timestamp,
  step: z.enum(["coming", "waiting", "running", "ended"]),
  /** Batches, of anybody, that are imported first. */
  batchesBefore: number,
  importedPart: number,
  problem: text.nullable(),
  mayRetry: flag,
  /** Then its incomplete files are deleted, unless more bytes arrive. */
  keptUntil: timestamp,
  /** Shown only when files are missing: a thousand imported ones need one line. */
  uploads: z.array(OwnUpload),
});
export type OwnBatch = z.infer<typeof BatchRow> & {
  /** The refused files that could be left out; `heldBack` then become drafts. */
  inTheWay: number;
  heldBack: number;
  results: UploadResult[];
  files: number;
};

export async function listBatches(userId: string): Promise<OwnBatch[]> {
  const rows = await readRows(db, BatchRow)`
    SELECT batch.id, taken_part AS "importedPart", problem,
      created_at AS "createdAt", updated_at + ${KEPT} AS "keptUntil",
      CASE WHEN ended_at IS NOT NULL THEN 'ended' WHEN began_at IS NOT NULL THEN 'running'
        WHEN coming > 0 THEN 'coming' ELSE 'waiting' END AS step,
      CASE WHEN ended_at IS NULL THEN (
        SELECT count(*)::int FROM upload_batches earlier WHERE ${canBeImported(sql`earlier`)} AND id <> batch.id
          AND (began_at IS NOT NULL OR ${importTurn(sql`earlier`)} < ${importTurn(sql`batch`)}))
        ELSE 0 END AS "batchesBefore",
      ${MAY_RETRY} AS "mayRetry", uploads
    FROM (
      -- The limit is inside, or the files of all batches would be read.
      SELECT * FROM upload_batches WHERE user_id = ${userId}
      ORDER BY ended_at IS NOT NULL, created_at DESC LIMIT ${SHOWN_BATCHES}) AS batch CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'uploading') AS coming,
        coalesce(json_agg(json_build_object('id', id, 'path', path, 'bytes', bytes, 'receivedBytes', received_bytes,
          'fingerprint', fingerprint, 'state', state, 'note', note, 'mediaId', media_id) ORDER BY position), '[]') AS uploads
      FROM uploads WHERE batch_id = batch.id) AS files
    ORDER BY ended_at IS NOT NULL, created_at DESC`;
  return rows.map((row) => {
    const { inTheWay, heldBack } = blockedIn(row.mayRetry ? row.uploads : []);
    return {
      ...row,
      inTheWay: inTheWay.length,
      heldBack: heldBack.length,
      uploads: row.step === "coming" ? row.uploads : [],
      results: resultsOf(row.uploads),
      files: row.uploads.length,
    };
  });
}

function resultsOf(uploads: OwnUpload[]): UploadResult[] {
  const results = new Map<string, UploadResult>();
  for (const upload of uploads) {
    if (isNotImported(upload)) continue;
    const { path, state, note, mediaId } = upload;
    const folder = path.split("/").slice(0, -1).join("/");
    const owner = folder === "" || state === "passedOver" ? path : folder;
    const key = JSON.stringify([mediaId ?? owner, state, note]);
    const known = results.get(key);
    if (known === undefined) results.set(key, { key, title: path, state, note, mediaId, files: 1 });
    else Object.assign(known, { title: folder || LOOSE_FILES, files: known.files + 1 });
  }
  return [...results.values()];
}

export function countRefused(userId: string): Promise<number> {
  return readOne(db, number)`
    SELECT count(*)::int FROM uploads u JOIN upload_batches b ON b.id = u.batch_id
    WHERE b.user_id = ${userId} AND b.ended_at IS NOT NULL AND u.state = 'refused'`;
}

export const KEPT = sql`${UPLOAD_LIMITS.keptDays} * interval '1 day'`;

export async function removeUploads(userId: string, uploadIds: string[]): Promise<void> {
  const isOne = sql`id = ANY(${uuids(uploadIds)}) AND ${IS_NOT_IMPORTED}`;
  await removeFrom(sql`user_id = ${userId}`, isOne);
}

export async function removeAbandoned(): Promise<void> {
  await removeFrom(sql`updated_at < now() - ${KEPT}`, sql`state = 'uploading'`);
}

const RemovedRow = z.object({ id: text, path: text });

/** Conditions: `ofBatch` on upload_batches, `isOne` on uploads. */
async function removeFrom(ofBatch: SQL, isOne: SQL): Promise<void> {
  const removed = await db.transaction(async (tx) => {
    const batches = await readRows(tx, text)`
      SELECT id FROM upload_batches WHERE ${ofBatch} AND ended_at IS NULL AND began_at IS NULL
        AND id IN (SELECT batch_id FROM uploads WHERE ${isOne}) ORDER BY id FOR UPDATE`;
    const gone: { batchId: string; id: string }[] = [];
    for (const batchId of batches) {
      const rows = await readRows(tx, RemovedRow)`
        DELETE FROM uploads WHERE batch_id = ${batchId} AND ${isOne} RETURNING id, path`;
      // They may have been staged before a restore, and the import reads all staged files.
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
      AND ${IS_NOT_RUNNING} RETURNING id`);
  if (gone.length > 0) await deleteBatchFiles(batchId);
}

/** In the transaction that deletes the person. A job deletes the files. */
export async function deleteUploadsOf(userId: string, tx: Transaction): Promise<void> {
  const gone = await readRows(tx, text)`
    WITH gone AS (DELETE FROM upload_batches WHERE user_id = ${userId} RETURNING id, has_files)
    SELECT id FROM gone WHERE has_files`;
  if (gone.length > 0) await enqueue("delete-uploads", { batchIds: gone }, tx);
}

/** A sentence when it is refused, as from goOnWithout(). */
export async function retryBatch(userId: string, batchId: string): Promise<string | null> {
  return db.transaction((tx) => reopen(tx, userId, batchId));
}

export async function goOnWithout(userId: string, batchId: string): Promise<string | null> {
  return db.transaction(async (tx) => {
    const [batch] = await tx.execute(sql`
      SELECT FROM upload_batches WHERE id = ${batchId} AND user_id = ${userId} AND ${MAY_RETRY}
      FOR UPDATE`);
    if (batch === undefined) return null;
    const files = await readRows(tx, OwnUpload)`
      SELECT id, path, bytes::float8 AS bytes, received_bytes::float8 AS "receivedBytes", fingerprint, state, note,
        media_id AS "mediaId"
      FROM uploads WHERE batch_id = ${batchId}`;
    const { inTheWay } = blockedIn(files);
    if (inTheWay.length === 0) return null;
    const problem = await reopen(tx, userId, batchId);
    if (problem !== null) return problem;
    // Files go before their rows: a file without a row would hold back its set unseen.
    const gone = [...inTheWay, ...companionsOf(inTheWay, files)];
    await deleteStaged(
      batchId,
      gone.map(({ path }) => path),
    );
    await tx.execute(sql`DELETE FROM uploads WHERE id = ANY(${uuids(inTheWay.map(({ id }) => id))})`);
    return null;
  });
}

async function reopen(tx: Transaction, userId: string, batchId: string): Promise<string | null> {
  const files = await readOne(tx, number)`
    SELECT count(*)::int FROM uploads WHERE batch_id = ${batchId} AND ${IS_TRIED_AGAIN}`;
  const problem = await tooManyProblem(userId, files, tx);
  if (problem !== null) return problem;
  const opened = await tx.execute(sql`
    UPDATE upload_batches SET ended_at = NULL, began_at = NULL, taken_part = 0, attempts = 0, problem = NULL,
      updated_at = now()
    WHERE id = ${batchId} AND user_id = ${userId} AND ${MAY_RETRY} RETURNING id`);
  if (opened.length === 0) return null;
  await tx.execute(sql`UPDATE uploads SET state = 'complete', note = NULL
    WHERE batch_id = ${batchId} AND ${IS_TRIED_AGAIN}`);
  await queueImport(tx, batchId);
  return null;
}
