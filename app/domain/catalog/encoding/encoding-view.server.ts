import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { fileStems } from "#app/domain/media/renditions.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { flag, number, readRow, readRows, text } from "#db/rows.ts";
import { workState } from "#db/schema/encoding.ts";
import { numberIn, SOURCE_STEP } from "../edit/files/encoding-steps.ts";
import { isOpen, isOpenStep, isStopped } from "../media/encoding-work.server.ts";
import { UUID } from "../media/served-file.server.ts";
import { isTakenDown } from "../media/visibility.server.ts";
import { type EncodingChange, mayChangeEncoding } from "./change-encoding.server.ts";
import { TRIES } from "./claims.server.ts";

const EncodingStep = z.object({
  step: text,
  state: z.enum(workState.enumValues),
  percent: number,
  lines: z.array(text),
  attempts: number,
});
export type EncodingStep = z.infer<typeof EncodingStep>;

export interface EncodingView {
  steps: EncodingStep[];
  tries: number;
  isOpen: boolean;
  /** What holds it up: the item is taken down, or no worker encodes. */
  waitsFor: "item" | "worker" | null;
  secondsLeft: number | null;
  videosBefore: number;
  changes: EncodingChange[];
}

const QueuedVideo = z.object({ isTakenDown: flag, before: number });
const StepWork = z.object({ step: text, left: number, done: number, took: number });

export async function findEncoding(actor: Actor, mediaId: string): Promise<EncodingView | null> {
  if (!mayDo(actor, "media.edit") || !UUID.test(mediaId)) return null;
  const item = await readRow(db, QueuedVideo)`
    SELECT ${isTakenDown} AS "isTakenDown",
      (SELECT count(*) FROM (${videosBefore(mediaId)}) before)::int AS before
    FROM media m WHERE m.id = ${mediaId} AND m.type = 'video'`;
  if (item === null) return null;
  const rows = await readRows(db, EncodingStep)`
    SELECT step, state, percent::int AS percent, to_json(last_lines) AS lines, attempts::int AS attempts
    FROM media_work WHERE media_id = ${mediaId} ORDER BY position`;
  const hasOpen = rows.some(isOpen);
  const waitsFor = hasOpen ? reasonToWait(item.isTakenDown, rows) : null;
  const possible: Record<EncodingChange, boolean> = {
    retry: rows.some(isStopped),
    cancel: hasOpen,
    again: !hasOpen,
  };
  return {
    steps: rows,
    tries: TRIES,
    isOpen: hasOpen,
    waitsFor,
    secondsLeft: hasOpen && waitsFor === null ? await secondsLeft(mediaId) : null,
    videosBefore: hasOpen ? item.before : 0,
    changes: (Object.keys(possible) as EncodingChange[]).filter(
      (change) => possible[change] && !item.isTakenDown && mayChangeEncoding(actor, change),
    ),
  };
}

/** Another copy of the site may encode where this one does not. */
function reasonToWait(isTakenDown: boolean, steps: EncodingStep[]): EncodingView["waitsFor"] {
  if (isTakenDown) return "item";
  const isWorkedOn = config.media.encodingJobs > 0 || steps.some(({ state }) => state === "running");
  return isWorkedOn ? null : "worker";
}

function videosBefore(mediaId: string): SQL {
  return sql`SELECT DISTINCT w.media_id FROM media_work w JOIN media_encodings o ON o.media_id = w.media_id
    JOIN media m ON m.id = w.media_id AND NOT ${isTakenDown}
    WHERE ${isOpenStep} AND w.media_id <> ${mediaId}
      AND o.queued_at < (SELECT queued_at FROM media_encodings WHERE media_id = ${mediaId})`;
}

/** By the speed so far: time grows with a video's length, and with the pixels of a size. */
async function secondsLeft(mediaId: string): Promise<number | null> {
  const part = sql`CASE w.state WHEN 'done' THEN 1 WHEN 'running' THEN w.percent / 100.0 ELSE 0 END`;
  const steps = await readRows(db, StepWork)`
    SELECT w.step,
      coalesce(sum(m.duration_seconds * (1 - ${part})) FILTER (WHERE ${isOpenStep}), 0)::float8 AS left,
      coalesce(sum(m.duration_seconds * ${part}) FILTER (WHERE w.state IN ('done', 'running')), 0)::float8 AS done,
      coalesce(sum(CASE w.state WHEN 'done' THEN w.seconds
        WHEN 'running' THEN extract(epoch FROM clock_timestamp() - w.started_at) END), 0)::float8 AS took
    FROM media_work w JOIN media m ON m.id = w.media_id
    WHERE w.media_id = ${mediaId} OR w.media_id IN (${videosBefore(mediaId)}) GROUP BY w.step`;
  let [work, seconds, left] = [0, 0, 0];
  for (const row of steps) {
    const weight = weightOf(row.step);
    left += weight * row.left;
    // Only sizes show how fast this machine is: other steps read, or are too short.
    if (!row.step.startsWith(`${fileStems.rung}-`)) continue;
    work += weight * row.done;
    seconds += row.took;
  }
  return work > 0 ? (left * seconds) / work / Math.max(1, config.media.encodingJobs) : null;
}

const SHORT_STEP = 20_000;

function weightOf(step: string): number {
  const size = numberIn(step, fileStems.rung) ?? 0;
  if (size > 0) return size * size;
  return step === SOURCE_STEP ? 2 * SHORT_STEP : SHORT_STEP;
}
