import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { fileStems } from "#app/domain/media/renditions.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { flag, number, readRow, text } from "#db/rows.ts";
import { workState } from "#db/schema/encoding.ts";
import { numberIn, SOURCE_STEP } from "../edit/files/encoding-steps.ts";
import { EditedItem, selectItems } from "../edit/item/items.server.ts";
import { isOpen, isOpenStep, isStopped } from "../media/encoding-work.server.ts";
import { isTakenDown } from "../media/visibility.server.ts";
import { OriginalView, selectOriginals, selectOriginalTotals } from "../originals/originals.server.ts";
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

const StepWork = z.object({ step: text, left: number, done: number, took: number });
const Encoding = z.object({
  isTakenDown: flag,
  before: number,
  steps: z.array(EncodingStep),
  work: z.array(StepWork),
});

export async function findEncoding(actor: Actor, mediaId: string): Promise<EncodingView | null> {
  if (!mayDo(actor, "media.edit") || !UUID.test(mediaId)) return null;
  const encoding = await readRow(db, Encoding)`${selectEncoding(mediaId)}`;
  return encoding && encodingView(actor, encoding);
}

const ItemFiles = z.object({
  item: EditedItem,
  originals: z.array(OriginalView),
  files: number,
  bytes: number,
  encoding: Encoding.nullable(),
});

/** `page`: of the originals, from 1. */
export async function findItemFiles(actor: Actor, id: string, page: number) {
  const found = await readRow(db, ItemFiles)`
    SELECT to_jsonb(item) AS item,
      COALESCE((SELECT jsonb_agg(to_jsonb(o)) FROM (${selectOriginals(id, page)}) o), '[]') AS originals,
      totals.*, (SELECT to_jsonb(e) FROM (${selectEncoding(id)}) e) AS encoding
    FROM (${selectItems([id])}) item CROSS JOIN (${selectOriginalTotals(id)}) totals`;
  return found && { ...found, encoding: found.encoding && encodingView(actor, found.encoding) };
}

/** The row of Encoding; none for a photo set. */
function selectEncoding(mediaId: string): SQL {
  return sql`
    SELECT ${isTakenDown} AS "isTakenDown", (SELECT count(*) FROM (${videosBefore(mediaId)}) before)::int AS before,
      COALESCE((SELECT jsonb_agg(jsonb_build_object('step', w.step, 'state', w.state, 'percent', w.percent,
          'lines', w.last_lines, 'attempts', w.attempts) ORDER BY w.position)
        FROM media_work w WHERE w.media_id = m.id), '[]') AS steps,
      COALESCE((SELECT jsonb_agg(to_jsonb(s)) FROM (${selectWork(mediaId)}) s), '[]') AS work
    FROM media m WHERE m.id = ${mediaId} AND m.type = 'video'`;
}

function encodingView(actor: Actor, { steps, work, ...item }: z.infer<typeof Encoding>): EncodingView {
  const hasOpen = steps.some(isOpen);
  const waitsFor = hasOpen ? reasonToWait(item.isTakenDown, steps) : null;
  const possible: Record<EncodingChange, boolean> = {
    retry: steps.some(isStopped),
    cancel: hasOpen,
    again: !hasOpen,
  };
  return {
    steps,
    tries: TRIES,
    isOpen: hasOpen,
    waitsFor,
    secondsLeft: hasOpen && waitsFor === null ? secondsLeft(work) : null,
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

/** The rows of StepWork, for this video and those before it. */
function selectWork(mediaId: string): SQL {
  const part = sql`CASE w.state WHEN 'done' THEN 1 WHEN 'running' THEN w.percent / 100.0 ELSE 0 END`;
  return sql`
    SELECT w.step,
      coalesce(sum(m.duration_seconds * (1 - ${part})) FILTER (WHERE ${isOpenStep}), 0)::float8 AS left,
      coalesce(sum(m.duration_seconds * ${part}) FILTER (WHERE w.took IS NOT NULL), 0)::float8 AS done,
      coalesce(sum(w.took), 0)::float8 AS took
    FROM (SELECT *, CASE state WHEN 'done' THEN seconds WHEN 'running' THEN
        extract(epoch FROM clock_timestamp() - started_at) / count(*) OVER (PARTITION BY media_id, claimed_by) END AS took
      FROM media_work WHERE media_id = ${mediaId} OR media_id IN (${videosBefore(mediaId)})) w
    JOIN media m ON m.id = w.media_id GROUP BY w.step`;
}

/** By the speed so far: time grows with a video's length, and with the pixels of a size. */
function secondsLeft(steps: z.infer<typeof StepWork>[]): number | null {
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
