// Needed because workers are killed, and a lease would be shorter than their pauses or longer than anyone waits: decision 159.

import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { waitText } from "#app/counts.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { fileStems } from "#app/domain/media/renditions.ts";
import { storageOf } from "#app/domain/media/storage/media-storage.server.ts";
import { FILES_STAY_SECONDS, type MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { isOnePass, planLadder } from "#app/domain/media/video/ladder.ts";
import { countFrames } from "#app/domain/media/video/rung.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { flag, number, readRow, readRows, text } from "#db/rows.ts";
import { workState } from "#db/schema/encoding.ts";
import { isFirstPass, numberIn, rungStep } from "../edit/files/encoding-steps.ts";
import { replaceFiles } from "../edit/files/replace-files.server.ts";
import { TRAILER_STEP } from "../edit/files/trailer-step.server.ts";
import { lockItems } from "../edit/item/items.server.ts";
import { isOpen, MadeFiles } from "../media/encoding-work.server.ts";
import { isLatest, isTakenDown } from "../media/visibility.server.ts";
import { storedSource, type WriteFacts } from "./step-sources.server.ts";

const BegunStep = z.object({
  mediaId: text,
  step: text,
  fileGroup: text.nullable(),
  run: text,
  version: number.nullable(),
  attempts: number,
});
/** `others`: sizes that the same ffmpeg makes. */
export type Claim = z.infer<typeof BegunStep> & { others: string[]; runner: number };

const FreedStep = z.object({ mediaId: text, fileGroup: text.nullable(), isFailed: flag });

export const TRIES = 3;
const LOCK_CLASS = 0x656e63;
const RETRY_SECONDS = 30;
const PAUSE_SECONDS = { fullDisk: 300, noStore: 30 };
/** Stored, and compared with what is stored. */
const KILLED = "The worker ended while it worked on this step.";
const KILLED_LINES = sql`ARRAY[${KILLED}]::text[]`;
const NEEDS_FAILED = "It needs a file that could not be made.";
const PAUSE_TEXTS = {
  fullDisk: `The disk with the media folder is nearly full. The next try is in ${waitText(PAUSE_SECONDS.fullDisk)}.`,
  noStore: `The object store does not answer. The next try is in ${waitText(PAUSE_SECONDS.noStore)}.`,
};

export function runnerLock(runner: number): string {
  return `SELECT pg_try_advisory_lock(${LOCK_CLASS}, ${Math.trunc(runner)}) AS locked`;
}

/** A killed worker's connection closes, which frees its lock. */
const isAbandoned = sql`w.state = 'running' AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory'
  AND l.classid = ${LOCK_CLASS} AND l.objid = w.claimed_by AND l.objsubid = 2 AND l.granted
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

const isWorkable = sql`NOT ${isTakenDown}`;

/** Frees the steps of killed workers. Each then runs alone, so that a source that kills its worker ends no other step. */
export async function claimStep(runner: number): Promise<Claim | null> {
  const freed = await readRows(db, FreedStep)`
    UPDATE media_work w SET claimed_by = NULL, updated_at = clock_timestamp(),
      state = CASE WHEN attempts >= ${TRIES} THEN 'failed' ELSE 'waiting' END::media_work_state,
      last_lines = ${KILLED_LINES}
    WHERE ${isAbandoned} RETURNING w.media_id AS "mediaId", w.file_group AS "fileGroup", w.state = 'failed' AS "isFailed"`;
  for (const { mediaId, fileGroup, isFailed } of freed) {
    if (isFailed) await db.transaction((tx) => showMade(tx, mediaId, fileGroup));
  }
  await failFollowers();
  return db.transaction(async (tx) => {
    // Two runners at once would not see what the other begins.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK_CLASS})`);
    const begun = await readRow(tx, BegunStep)`
      UPDATE media_work w SET state = 'running', attempts = w.attempts + 1, claimed_by = ${runner}, percent = 0,
        started_at = clock_timestamp(), updated_at = clock_timestamp()
      FROM (
        SELECT w.media_id, w.step, e.run, e.version, w.last_lines FROM media_work w
        JOIN media_encodings e ON e.media_id = w.media_id JOIN media m ON m.id = w.media_id
        WHERE w.state = 'waiting' AND w.due_at <= now() AND ${isWorkable} AND NOT EXISTS (
          SELECT FROM media_work n WHERE n.media_id = w.media_id AND n.step = ANY(w.after) AND n.state <> 'done')
        ORDER BY e.queued_at, w.position LIMIT 1 FOR UPDATE OF w SKIP LOCKED) next
      WHERE w.media_id = next.media_id AND w.step = next.step AND NOT EXISTS (
        SELECT FROM media_work other WHERE other.state = 'running'
          AND (next.last_lines = ${KILLED_LINES} OR other.last_lines = ${KILLED_LINES}))
      RETURNING w.media_id AS "mediaId", w.step, w.file_group AS "fileGroup", next.run,
        next.version::float8 AS version, w.attempts::int AS attempts`;
    return begun && { ...begun, runner, others: await claimOthers(tx, begun, runner) };
  });
}

/** The other sizes of its pass. A size that has been tried before is made alone, so that it fails alone: decision 214. */
async function claimOthers(
  tx: Transaction,
  { mediaId, step, attempts }: z.infer<typeof BegunStep>,
  runner: number,
): Promise<string[]> {
  if (numberIn(step, fileStems.rung) === null || attempts > 1) return [];
  const untried = await readRows(tx, text)`
    SELECT w.step FROM media_work w WHERE w.media_id = ${mediaId} AND w.state = 'waiting' AND w.attempts = 0
      AND w.due_at <= now() FOR UPDATE`;
  const { video } = await storedSource(mediaId, tx);
  const ofPass = planLadder(video).filter(({ size }) => {
    const each = rungStep(size);
    return each === step || (untried.includes(each) && isFirstPass(each) === isFirstPass(step));
  });
  if (!isOnePass(ofPass, countFrames(video))) return [];
  const others = ofPass.map(({ size }) => rungStep(size)).filter((each) => each !== step);
  await tx.execute(sql`
    UPDATE media_work w SET state = 'running', attempts = 1, claimed_by = ${runner}, percent = 0,
      started_at = clock_timestamp(), updated_at = clock_timestamp()
    WHERE w.media_id = ${mediaId} AND w.step = ANY(${textArray(others)})`);
  return others;
}

export function stepsIn({ step, others }: Pick<Claim, "step" | "others">): string[] {
  return [step, ...others];
}

/** False when the item is gone or somebody has canceled the step. */
export async function reportProgress(claim: Claim, part: number): Promise<boolean> {
  const [row] = await db.execute(sql`
    UPDATE media_work w SET percent = ${Math.round(part * 100)}, updated_at = clock_timestamp()
    FROM media m WHERE m.id = w.media_id AND ${isWorkable} AND ${isOf(claim)} RETURNING w.step`);
  return row !== undefined;
}

/** The try does not count. */
export async function giveBack(
  claim: Claim,
  pausedBy: keyof typeof PAUSE_SECONDS | null = null,
): Promise<void> {
  await putBack(isOf(claim), pausedBy);
}

export async function giveBackOf(runners: readonly number[]): Promise<void> {
  const isTheirs = sql`w.state = 'running' AND w.claimed_by = ANY(${sql.param(`{${runners.join()}}`)}::bigint[])`;
  await putBack(isTheirs, null);
}

async function putBack(isGiven: SQL, pausedBy: keyof typeof PAUSE_SECONDS | null): Promise<void> {
  const [seconds, lines] =
    pausedBy === null
      ? [0, sql`w.last_lines`]
      : [PAUSE_SECONDS[pausedBy], sql`ARRAY[${PAUSE_TEXTS[pausedBy]}]`];
  await db.execute(sql`
    UPDATE media_work w SET state = 'waiting', attempts = w.attempts - 1, claimed_by = NULL, percent = 0,
      due_at = now() + ${seconds} * interval '1 second', updated_at = clock_timestamp(),
      last_lines = ${lines}
    WHERE ${isGiven}`);
}

export async function failStep(
  claim: Claim,
  lines: readonly string[],
  retrySeconds: number = RETRY_SECONDS,
): Promise<boolean> {
  const isForGood = await db.transaction(async (tx) => {
    await lockItems(tx, [claim.mediaId]);
    const states = await readRows(tx, text)`
      UPDATE media_work w SET claimed_by = NULL, percent = 0, updated_at = clock_timestamp(),
        state = CASE WHEN w.attempts >= ${TRIES} THEN 'failed' ELSE 'waiting' END::media_work_state,
        due_at = now() + ${retrySeconds} * w.attempts * interval '1 second',
        last_lines = ${textArray(lines)}
      WHERE ${isOf(claim)} RETURNING w.state`;
    if (!states.includes("failed")) return false;
    await showMade(tx, claim.mediaId, claim.fileGroup);
    return true;
  });
  if (isForGood) await failFollowers();
  return isForGood;
}

async function failFollowers(): Promise<void> {
  await db.execute(sql`
    UPDATE media_work w SET state = 'failed', last_lines = ARRAY[${NEEDS_FAILED}], updated_at = clock_timestamp()
    WHERE w.state = 'waiting' AND EXISTS (
      SELECT FROM media_work n WHERE n.media_id = w.media_id AND n.step = ANY(w.after) AND n.state = 'failed')`);
}

interface Made {
  files: MediaFileRow[];
  writeFacts?: WriteFacts | undefined;
  warnings?: readonly string[];
}

/** False when the step is no longer this runner's. */
export async function finishStep(claim: Claim, { files, writeFacts, warnings = [] }: Made): Promise<boolean> {
  const { mediaId, others } = claim;
  const isOwn = (step: string) => (file: MediaFileRow) =>
    others.length === 0 || file.name.startsWith(`${step}.`);
  const made = Object.fromEntries(stepsIn(claim).map((step) => [step, files.filter(isOwn(step))]));
  return db.transaction(async (tx) => {
    await lockItems(tx, [mediaId]);
    await tx.execute(sql`SELECT FROM media_encodings WHERE media_id = ${mediaId} FOR UPDATE`);
    const [done] = await tx.execute(sql`
      UPDATE media_work w SET state = 'done', percent = 100, claimed_by = NULL, last_lines = ${textArray(warnings)},
        made = ${JSON.stringify(made)}::jsonb -> w.step, updated_at = clock_timestamp(),
        seconds = extract(epoch FROM clock_timestamp() - w.started_at) / ${others.length + 1}
      FROM media m WHERE m.id = w.media_id AND ${isWorkable} AND ${isOf(claim)} RETURNING w.step`);
    if (done === undefined) return false;
    await writeFacts?.(tx);
    await showMade(tx, mediaId, claim.fileGroup);
    await dropOriginalWhenDone(tx, mediaId);
    return true;
  });
}

const GroupStep = z.object({ step: text, state: z.enum(workState.enumValues), made: MadeFiles });
type GroupStep = z.infer<typeof GroupStep>;
const DoneStep = z.object({ step: text, made: MadeFiles });

/** What is complete: most groups as a whole. */
export async function showMade(tx: Transaction, mediaId: string, group: string | null): Promise<void> {
  if (group === null) return;
  await lockItems(tx, [mediaId]);
  const steps = await readRows(tx, GroupStep)`
    SELECT step, state, made FROM media_work WHERE media_id = ${mediaId} AND file_group = ${group}
    ORDER BY position`;
  const shown = steps.every(isDone) ? steps : await shownEarly(tx, mediaId, group, steps);
  const files = shown.flatMap(({ made }) => made);
  if (files.length === 0) return;
  await dropRowsOf(tx, mediaId, files);
  await replaceFiles(tx, mediaId, files, { groups: [group] });
}

/** Sizes are shown by pass, without those that failed. An earlier ladder stays until the new one is whole: decision 214. */
async function shownEarly(
  tx: Transaction,
  mediaId: string,
  group: string,
  steps: GroupStep[],
): Promise<GroupStep[]> {
  if (group !== fileStems.rung) return [];
  const isSilent = steps.some((each) => numberIn(each.step, fileStems.audio) !== null && !isDone(each));
  const earlier = await tx.execute(sql`
    SELECT FROM media_files f JOIN media_encodings e USING (media_id)
    WHERE f.media_id = ${mediaId} AND starts_with(f.name, ${`${fileStems.rung}-`}) AND ${isLatest}
      AND f.version IS DISTINCT FROM e.version LIMIT 1`);
  if (isSilent || earlier.length > 0) return [];
  const passes = [true, false].map((isFirst) => steps.filter(({ step }) => isFirstPass(step) === isFirst));
  return passes.filter((pass) => !pass.some(isOpen)).flatMap((pass) => pass.filter(isDone));
}

function isDone({ state }: GroupStep): boolean {
  return state === "done";
}

/** What was shown before, or before its files were lost. */
async function dropRowsOf(tx: Transaction, mediaId: string, files: readonly MediaFileRow[]): Promise<void> {
  await tx.execute(sql`
    DELETE FROM media_files f USING jsonb_array_elements(${JSON.stringify(files)}::jsonb) file
    WHERE f.media_id = ${mediaId} AND f.version = (file ->> 'version')::int AND f.name = file ->> 'name'`);
}

/** A restored site may lack files of finished steps, which are then made again. True when this step has to wait for them. */
export async function redoMissing({ mediaId, step, fileGroup }: Claim): Promise<boolean> {
  if (step === TRAILER_STEP) return false;
  const needed = sql`step = ANY((SELECT after FROM media_work WHERE media_id = ${mediaId} AND step = ${step})::text[])`;
  const done = await readRows(db, DoneStep)`
    SELECT step, made FROM media_work
    WHERE media_id = ${mediaId} AND state = 'done' AND (${needed} OR file_group = ${fileGroup})`;
  for (const each of done) {
    const found = await Promise.all(
      each.made.map(({ storage, storageKey }) => storageOf(storage).head(storageKey)),
    );
    if (found.every((file) => file !== null)) continue;
    await db.execute(sql`UPDATE media_work SET state = 'waiting', attempts = 0, percent = 0, last_lines = '{}'
      WHERE media_id = ${mediaId} AND step = ${each.step} AND state = 'done'`);
  }
  const open = await db.execute(sql`
    SELECT FROM media_work WHERE media_id = ${mediaId} AND state <> 'done' AND ${needed} LIMIT 1`);
  return open.length > 0;
}

/** A trailer is cut from a stored file, so the original need not wait for it. */
async function dropOriginalWhenDone(tx: Transaction, mediaId: string): Promise<void> {
  const storageKey = await readRow(tx, text)`
    DELETE FROM media_originals o USING media_encodings e
    WHERE e.media_id = ${mediaId} AND e.drops_original AND o.media_id = e.media_id
      AND NOT EXISTS (SELECT FROM media_work w WHERE w.media_id = e.media_id AND w.state <> 'done'
        AND w.step <> ${TRAILER_STEP})
    RETURNING o.storage_key`;
  if (storageKey === null) return;
  const later = { afterSeconds: FILES_STAY_SECONDS };
  await enqueue("delete-retired-files", { mediaId, storageKeys: [storageKey] }, tx, later);
}

function isOf({ mediaId, runner, run, ...claim }: Claim): SQL {
  return sql`w.media_id = ${mediaId} AND w.step = ANY(${textArray(stepsIn(claim))}) AND w.state = 'running' AND w.claimed_by = ${runner}
    AND EXISTS (SELECT FROM media_encodings e WHERE e.media_id = w.media_id AND e.run = ${run})`;
}

function textArray(lines: readonly string[]): SQL {
  return sql`ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(lines)}::jsonb))`;
}
