import { type SQL, sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { fileStems } from "#app/domain/media/renditions.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import type { workState } from "#db/schema/encoding.ts";
import { numberIn, SOURCE_STEP } from "../edit/files/encoding-steps.ts";
import { isOpenStep } from "../media/encoding-work.server.ts";
import { UUID } from "../media/served-file.server.ts";
import { isTakenDown } from "../media/visibility.server.ts";
import { type EncodingChange, mayChangeEncoding } from "./change-encoding.server.ts";
import { TRIES } from "./claims.server.ts";

export type StepState = (typeof workState.enumValues)[number];

export interface EncodingStep {
  step: string;
  state: StepState;
  percent: number;
  /** The last words of the try that failed; of a done step, what viewers do not get as it is in the source. */
  lines: string[];
  attempts: number;
}

/** The studio shows this of a video's files in the making. */
export interface EncodingView {
  steps: EncodingStep[];
  /** A step fails after them. */
  tries: number;
  isOpen: boolean;
  /** While nothing goes on: it waits for an item that is taken down, or for a worker that makes files. */
  waitsFor: "item" | "worker" | null;
  /** Until all is made, with the videos before it; null while nothing tells. */
  secondsLeft: number | null;
  /** Other videos whose steps come first. */
  videosBefore: number;
  changes: EncodingChange[];
}

type Row = EncodingStep & Record<string, unknown>;

/** Null for an item that is no video, and for those who may not edit. */
export async function findEncoding(actor: Actor, mediaId: string): Promise<EncodingView | null> {
  if (!mayDo(actor, "media.edit") || !UUID.test(mediaId)) return null;
  const [item] = await db.execute<{ isTakenDown: boolean; before: number }>(sql`
    SELECT ${isTakenDown} AS "isTakenDown",
      (SELECT count(*) FROM (${videosBefore(mediaId)}) before)::int AS before
    FROM media m WHERE m.id = ${mediaId} AND m.type = 'video'`);
  if (item === undefined) return null;
  const rows = await db.execute<Row>(sql`
    SELECT step, state, percent::int AS percent, to_json(last_lines) AS lines, attempts::int AS attempts
    FROM media_work WHERE media_id = ${mediaId} ORDER BY position`);
  const isOpen = rows.some(({ state }) => state === "waiting" || state === "running");
  const hasStopped = rows.some(({ state }) => state === "failed" || state === "cancelled");
  const waitsFor = isOpen ? reasonToWait(item.isTakenDown, rows) : null;
  const possible: Record<EncodingChange, boolean> = { retry: hasStopped, cancel: isOpen, again: !isOpen };
  return {
    steps: rows,
    tries: TRIES,
    isOpen,
    waitsFor,
    secondsLeft: isOpen && waitsFor === null ? await secondsLeft(mediaId) : null,
    videosBefore: isOpen ? item.before : 0,
    changes: (Object.keys(possible) as EncodingChange[]).filter(
      (change) => possible[change] && !item.isTakenDown && mayChangeEncoding(actor, change),
    ),
  };
}

/** One of another copy of the site may run where this one makes none. */
function reasonToWait(isTakenDown: boolean, steps: EncodingStep[]): EncodingView["waitsFor"] {
  if (isTakenDown) return "item";
  const isWorkedOn = config.media.encodingJobs > 0 || steps.some(({ state }) => state === "running");
  return isWorkedOn ? null : "worker";
}

/** Their steps are claimed first. */
function videosBefore(mediaId: string): SQL {
  return sql`SELECT DISTINCT w.media_id FROM media_work w JOIN media_encodings o ON o.media_id = w.media_id
    JOIN media m ON m.id = w.media_id AND NOT ${isTakenDown}
    WHERE ${isOpenStep} AND w.media_id <> ${mediaId}
      AND o.queued_at < (SELECT queued_at FROM media_encodings WHERE media_id = ${mediaId})`;
}

/** By what the steps so far took, of this video and those before it: the time goes with their length, that of a size with its pixels. */
async function secondsLeft(mediaId: string): Promise<number | null> {
  const part = sql`CASE w.state WHEN 'done' THEN 1 WHEN 'running' THEN w.percent / 100.0 ELSE 0 END`;
  const steps = await db.execute<{ step: string; left: number; done: number; took: number }>(sql`
    SELECT w.step,
      coalesce(sum(m.duration_seconds * (1 - ${part})) FILTER (WHERE ${isOpenStep}), 0)::float8 AS left,
      coalesce(sum(m.duration_seconds * ${part}) FILTER (WHERE w.state IN ('done', 'running')), 0)::float8 AS done,
      coalesce(sum(CASE w.state WHEN 'done' THEN w.seconds
        WHEN 'running' THEN extract(epoch FROM clock_timestamp() - w.started_at) END), 0)::float8 AS took
    FROM media_work w JOIN media m ON m.id = w.media_id
    WHERE w.media_id = ${mediaId} OR w.media_id IN (${videosBefore(mediaId)}) GROUP BY w.step`);
  let [work, seconds, left] = [0, 0, 0];
  for (const row of steps) {
    const weight = weightOf(row.step);
    left += weight * row.left;
    // The first step reads, and the short ones wait for their start: only sizes tell how fast this machine is.
    if (!row.step.startsWith(`${fileStems.rung}-`)) continue;
    work += weight * row.done;
    seconds += row.took;
  }
  return work > 0 ? (left * seconds) / work / Math.max(1, config.media.encodingJobs) : null;
}

const SHORT_STEP = 20_000;

function weightOf(step: string): number {
  const quality = numberIn(step, fileStems.rung) ?? 0;
  if (quality > 0) return quality * quality;
  return step === SOURCE_STEP ? 2 * SHORT_STEP : SHORT_STEP;
}
