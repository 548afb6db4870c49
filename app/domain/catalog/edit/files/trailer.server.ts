import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { fileNames } from "#app/domain/media/renditions.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { number, readRow, text } from "#db/rows.ts";
import { longRetired } from "../../media/served-file.server.ts";
import { type TrailerView, trailerVersion, trailerView } from "../../media/trailer-view.server.ts";
import { changeItem } from "../item/change-item.server.ts";
import { type EditedItem, selectItems } from "../item/items.server.ts";
import { VideoItem, videoItem } from "../item/video-item.server.ts";
import { replaceFiles } from "./replace-files.server.ts";
import { rangeErrors, type TrailerRange } from "./trailer-range.ts";
import { queueTrailer, TRAILER_STEP } from "./trailer-step.server.ts";

export interface StoredTrailer {
  range: TrailerRange;
  made: TrailerView | null;
  isWanted: boolean;
  /** Its step failed or was canceled. */
  isStopped: boolean;
}

/** `conflict`: the range that somebody else has stored meanwhile. */
export type TrailerResult =
  | { saved: true }
  | { saved: false; errors: Partial<Record<keyof TrailerRange | "form", string>> }
  | { saved: false; conflict: TrailerRange | null };

const RangeRow = z.object({ from: number, to: number });
const TrailerRow = RangeRow.extend({ version: number, made: number.nullable(), state: text.nullable() });

export async function findTrailer(mediaId: string, executor: Executor = db): Promise<StoredTrailer | null> {
  const row = await readRow(executor, TrailerRow)`${selectTrailer(sql`${mediaId}`)}`;
  return row && storedTrailer(mediaId, row);
}

const VideoWithTrailer = VideoItem.extend({ trailer: TrailerRow.nullable() });

export async function findVideoWithTrailer(id: string) {
  const row = await readRow(db, VideoWithTrailer)`
    SELECT ${videoItem}, (SELECT to_jsonb(t) FROM (${selectTrailer(sql`item.id`)}) t) AS trailer
    FROM (${selectItems([id])}) item JOIN media m ON m.id = item.id`;
  return row && { ...row, trailer: row.trailer && storedTrailer(id, row.trailer) };
}

function selectTrailer(mediaId: SQL): SQL {
  return sql`
    SELECT t.from_seconds AS from, t.to_seconds AS to, t.version::float8 AS version, ${trailerVersion} AS made,
      ${stepState} AS state
    FROM media_trailers t JOIN media m ON m.id = t.media_id WHERE t.media_id = ${mediaId}`;
}

function storedTrailer(
  mediaId: string,
  { from, to, version, made, state }: z.infer<typeof TrailerRow>,
): StoredTrailer {
  const isWanted = state === "waiting" || state === "running";
  return {
    ...{ range: { from, to }, made: trailerView(mediaId, made) },
    ...{ isWanted, isStopped: !isWanted && state !== "done" && made !== version },
  };
}

/** For a row `t` of media_trailers. */
const stepState = sql`(SELECT w.state FROM media_work w WHERE w.media_id = t.media_id AND w.step = ${TRAILER_STEP})`;

export function saveTrailer(
  actor: Actor,
  mediaId: string,
  range: TrailerRange,
  opened: TrailerRange | null,
): Promise<TrailerResult> {
  return changeTrailer(actor, mediaId, opened, async (tx, item, present) => {
    const errors = rangeErrors(range, item.durationSeconds ?? 0);
    if (Object.keys(errors).length > 0) return { saved: false, errors };
    if (isSame(range, present)) {
      const trailer = await findTrailer(mediaId, tx);
      if (!trailer?.isStopped) return { saved: true };
      await queueTrailer(tx, mediaId);
      await record(tx, { actor, item, action: "encoding.retried" }, { before: null });
      return { saved: true };
    }
    await tx.execute(sql`
      INSERT INTO media_trailers (media_id, from_seconds, to_seconds, version)
      VALUES (${mediaId}, ${range.from}, ${range.to}, 0)
      ON CONFLICT (media_id) DO UPDATE SET from_seconds = excluded.from_seconds, to_seconds = excluded.to_seconds`);
    await queueTrailer(tx, mediaId);
    await record(tx, { actor, item, action: "media.trailerChanged" }, { before: present, after: range });
    return { saved: true };
  });
}

/** All its addresses stop working at once, even those of earlier ranges. */
export function removeTrailer(
  actor: Actor,
  mediaId: string,
  opened: TrailerRange | null,
): Promise<TrailerResult> {
  return changeTrailer(actor, mediaId, opened, async (tx, item, present) => {
    if (present === null) return { saved: true };
    await tx.execute(sql`DELETE FROM media_trailers WHERE media_id = ${mediaId}`);
    await tx.execute(sql`DELETE FROM media_work WHERE media_id = ${mediaId} AND step = ${TRAILER_STEP}`);
    await replaceFiles(tx, mediaId, [], { groups: [TRAILER_STEP] });
    await tx.execute(sql`UPDATE media_files SET retired_at = ${longRetired} WHERE media_id = ${mediaId}
      AND name IN (${fileNames.trailer()}, ${fileNames.trailerHover()})`);
    await record(tx, { actor, item, action: "media.trailerRemoved" }, { before: present });
    return { saved: true };
  });
}

type Change = (tx: Transaction, item: EditedItem, present: TrailerRange | null) => Promise<TrailerResult>;

async function changeTrailer(
  actor: Actor,
  mediaId: string,
  opened: TrailerRange | null,
  change: Change,
): Promise<TrailerResult> {
  const changed = await changeItem(actor, mediaId, async (tx, item): Promise<TrailerResult | string> => {
    if (item.type !== "video") return "Only a video can have a trailer.";
    const present = await readRange(tx, mediaId);
    return isSame(present, opened) ? change(tx, item, present) : { saved: false, conflict: present };
  });
  return typeof changed === "string" ? { saved: false, errors: { form: changed } } : changed;
}

async function readRange(executor: Executor, mediaId: string): Promise<TrailerRange | null> {
  return readRow(executor, RangeRow)`
    SELECT from_seconds AS from, to_seconds AS to FROM media_trailers WHERE media_id = ${mediaId}`;
}

function isSame(one: TrailerRange | null, other: TrailerRange | null): boolean {
  return one?.from === other?.from && one?.to === other?.to;
}

interface Entry {
  actor: Actor;
  item: EditedItem;
  action: "media.trailerChanged" | "media.trailerRemoved" | "encoding.retried";
}

async function record(
  tx: Transaction,
  { actor, item, action }: Entry,
  { before, after }: { before: TrailerRange | null; after?: TrailerRange },
): Promise<void> {
  await recordAudit(tx, {
    ...{ actor, action, subjectKind: "media", subjectId: item.id, subjectName: item.title },
    ...(before === null ? {} : { before: { trailer: before } }),
    ...(after === undefined ? {} : { after: { trailer: after } }),
  });
}
