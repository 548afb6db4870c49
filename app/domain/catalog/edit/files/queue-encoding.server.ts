import { sql } from "drizzle-orm";
import { z } from "zod";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { FIRST_RUN_VERSION } from "#app/domain/media/import/prepare.ts";
import { sizeOf } from "#app/domain/media/renditions.ts";
import { FILES_STAY_SECONDS, type MediaFileRow } from "#app/domain/media/store-file.server.ts";
import type { Executor, Transaction } from "#db/client.server.ts";
import { flag, number, readRow, readRows, text } from "#db/rows.ts";
import { keysOfSteps } from "../../media/encoding-work.server.ts";
import { isLatest } from "../../media/visibility.server.ts";
import { type PlannedStep, planSteps, SOURCE_STEP } from "./encoding-steps.ts";
import { claimFileVersion } from "./replace-files.server.ts";
import { queueTrailer, TRAILER_STEP } from "./trailer-step.server.ts";

/** "noSource": no video, no files, or deleted. "losesFiles": its ladder has more than could be made now. */
type QueuedEncoding = "queued" | "noSource" | "losesFiles";

/** Replaces what was queued before: decision 159. `dropsOriginal`: after the encoding, where the host keeps no originals. */
export async function queueEncoding(
  tx: Transaction,
  mediaId: string,
  { dropsOriginal = false } = {},
): Promise<QueuedEncoding> {
  const size = await sourceSize(tx, mediaId);
  if (size === null) return "noSource";
  if (await wouldLoseFiles(mediaId, tx)) return "losesFiles";
  const drops = await dropEncoding(tx, mediaId);
  await tx.execute(sql`INSERT INTO media_encodings (media_id, drops_original, queued_at)
    VALUES (${mediaId}, ${drops || dropsOriginal}, clock_timestamp())`);
  await insertSteps(tx, mediaId, planSteps(size, size.isOriginal));
  await queueTrailer(tx, mediaId);
  return "queued";
}

/** Records what the import has already made of a new item: decision 215. `source`: for media_encodings. */
export async function saveBegun(
  tx: Transaction,
  mediaId: string,
  { source, warnings, files }: { source: string; warnings: string[]; files: MediaFileRow[] },
): Promise<void> {
  const version = await claimFileVersion(mediaId, tx);
  if (version !== FIRST_RUN_VERSION) throw new Error("the item is not new");
  await tx.execute(sql`
    UPDATE media_encodings SET version = ${version}, source = ${source}::jsonb WHERE media_id = ${mediaId}`);
  await tx.execute(sql`
    UPDATE media_work SET state = 'done', percent = 100,
      last_lines = ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(warnings)}::jsonb))
    WHERE media_id = ${mediaId} AND step = ${SOURCE_STEP}`);
  await tx.execute(sql`
    UPDATE media_work SET state = 'done', percent = 100, made = begun.files
    FROM (SELECT split_part(file ->> 'name', '.', 1) AS step, jsonb_agg(file) AS files
      FROM jsonb_array_elements(${JSON.stringify(files)}::jsonb) file GROUP BY 1) begun
    WHERE media_id = ${mediaId} AND media_work.step = begun.step`);
}

/** Adds new steps, and removes waiting ones that are no longer planned. */
export async function insertSteps(tx: Transaction, mediaId: string, steps: PlannedStep[]): Promise<void> {
  const rows = JSON.stringify(steps.map((step, position) => ({ ...step, position })));
  await tx.execute(sql`
    DELETE FROM media_work WHERE media_id = ${mediaId} AND state = 'waiting' AND step <> ${TRAILER_STEP}
      AND step NOT IN (SELECT each ->> 'step' FROM jsonb_array_elements(${rows}::jsonb) each)`);
  await tx.execute(sql`
    INSERT INTO media_work (media_id, step, position, after, file_group)
    SELECT ${mediaId}, each ->> 'step', (each -> 'position')::bigint,
      ARRAY(SELECT jsonb_array_elements_text(each -> 'after')), each ->> 'fileGroup'
    FROM jsonb_array_elements(${rows}::jsonb) each
    ON CONFLICT (media_id, step) DO UPDATE SET position = excluded.position, after = excluded.after`);
}

/** Ends the work on an item, with its files that no row names. A running step notices within moments. */
async function dropEncoding(tx: Transaction, mediaId: string): Promise<boolean> {
  const storageKeys = await readRows(tx, text)`${keysOfSteps(mediaId)}`;
  const drops = await readRow(tx, flag)`
    DELETE FROM media_encodings WHERE media_id = ${mediaId} RETURNING drops_original`;
  const later = { afterSeconds: FILES_STAY_SECONDS };
  if (storageKeys.length > 0) await enqueue("delete-retired-files", { mediaId, storageKeys }, tx, later);
  return drops ?? false;
}

/** Encoding again would lose sizes or audio tracks that only the present files have. */
export async function wouldLoseFiles(mediaId: string, executor: Executor): Promise<boolean> {
  const size = await sourceSize(executor, mediaId);
  return size !== null && !size.isOriginal && (await hasMoreThan(executor, mediaId, size));
}

/** The ladder is replaced as a whole, and an MP4 has one audio track. A copied MP4 may be one pixel smaller. */
async function hasMoreThan(
  executor: Executor,
  mediaId: string,
  { width, height }: { width: number; height: number },
): Promise<boolean> {
  const more = await executor.execute(sql`
    SELECT FROM media_files f WHERE f.media_id = ${mediaId} AND ${isLatest} AND (f.name LIKE 'rung-sound-%'
      OR (f.name LIKE 'rung-%.mp4' AND LEAST(f.width, f.height) > ${sizeOf({ width, height }) + 1})) LIMIT 1`);
  return more.length > 0;
}

const SourceSize = z.object({ width: number, height: number, isOriginal: flag });

async function sourceSize(executor: Executor, mediaId: string) {
  return readRow(executor, SourceSize)`
    SELECT * FROM (
      SELECT (probe -> 'width')::int AS width, (probe -> 'height')::int AS height, true AS "isOriginal"
      FROM media_originals WHERE media_id = ${mediaId} AND photo_number IS NULL
      UNION ALL
      SELECT f.width, f.height, false FROM media_files f
      WHERE f.media_id = ${mediaId} AND f.name LIKE 'video-%' AND ${isLatest}) found
    WHERE EXISTS (SELECT FROM media WHERE id = ${mediaId} AND type = 'video' AND status <> 'deleted')
    ORDER BY "isOriginal" DESC, LEAST(width, height) DESC LIMIT 1`;
}
