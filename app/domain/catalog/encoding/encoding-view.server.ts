import { sql } from "drizzle-orm";
import { fileStems } from "#app/domain/media/renditions.ts";
import { type Actor, mayDo } from "#app/domain/staff/actor.ts";
import { db } from "#db/client.server.ts";
import { SOURCE_STEP } from "../edit/files/encoding-steps.ts";
import { UUID } from "../media/served-file.server.ts";
import { type EncodingChange, mayChangeEncoding } from "./change-encoding.server.ts";

export type StepState = "waiting" | "running" | "done" | "failed" | "cancelled";

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
  isOpen: boolean;
  /** Null while nothing tells. */
  secondsLeft: number | null;
  /** Other videos whose steps come first. */
  videosBefore: number;
  changes: EncodingChange[];
}

type Row = EncodingStep & { seconds: number | null; elapsed: number } & Record<string, unknown>;

/** Null for an item that is no video, and for those who may not edit. */
export async function findEncoding(actor: Actor, mediaId: string): Promise<EncodingView | null> {
  if (!mayDo(actor, "media.edit") || !UUID.test(mediaId)) return null;
  const [item] = await db.execute<{ isStopped: boolean; before: number }>(sql`
    SELECT m.status IN ('takenDown', 'deleted') AS "isStopped",
      (SELECT count(DISTINCT w.media_id) FROM media_work w JOIN media_encodings o ON o.media_id = w.media_id
        WHERE w.state IN ('waiting', 'running') AND w.media_id <> m.id AND o.queued_at <
          (SELECT e.queued_at FROM media_encodings e WHERE e.media_id = m.id))::int AS before
    FROM media m WHERE m.id = ${mediaId} AND m.type = 'video'`);
  if (item === undefined) return null;
  const rows = await db.execute<Row>(sql`
    SELECT step, state, percent::int AS percent, to_json(last_lines) AS lines, attempts::int AS attempts, seconds,
      extract(epoch FROM clock_timestamp() - started_at)::float8 AS elapsed
    FROM media_work WHERE media_id = ${mediaId} ORDER BY position`);
  const isOpen = rows.some(({ state }) => state === "waiting" || state === "running");
  const isStopped = rows.some(({ state }) => state === "failed" || state === "cancelled");
  const possible: Record<EncodingChange, boolean> = { retry: isStopped, cancel: isOpen, again: !isOpen };
  return {
    steps: rows.map(({ step, state, percent, lines, attempts }) => ({
      step,
      state,
      percent,
      lines,
      attempts,
    })),
    isOpen,
    secondsLeft: isOpen ? secondsLeft(rows) : null,
    videosBefore: isOpen ? item.before : 0,
    changes: (Object.keys(possible) as EncodingChange[]).filter(
      (change) => possible[change] && !item.isStopped && mayChangeEncoding(actor, change),
    ),
  };
}

/** By what the steps so far took: the time of a size goes with its pixels. */
function secondsLeft(rows: readonly Row[]): number | null {
  let [work, seconds, left] = [0, 0, 0];
  for (const { step, state, percent, seconds: took, elapsed } of rows) {
    const weight = weightOf(step);
    const part = state === "done" ? 1 : state === "running" ? percent / 100 : 0;
    if (state === "done" || state === "running" || state === "waiting") left += weight * (1 - part);
    // The first step reads, and the short ones wait for their start: only sizes tell how fast this machine is.
    if (!step.startsWith(`${fileStems.rung}-`)) continue;
    work += weight * part;
    seconds += state === "done" ? (took ?? 0) : state === "running" ? elapsed : 0;
  }
  return work > 0 ? (left * seconds) / work : null;
}

const SHORT_STEP = 20_000;

function weightOf(step: string): number {
  const quality = Number(/^rung-(\d+)$/.exec(step)?.[1] ?? 0);
  if (quality > 0) return quality * quality;
  return step === SOURCE_STEP ? 2 * SHORT_STEP : SHORT_STEP;
}
