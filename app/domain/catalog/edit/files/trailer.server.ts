import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { fileNames } from "#app/domain/media/renditions.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import { lastEdit, versionOf } from "#app/domain/staff/part-versions.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { number, readRow } from "#db/rows.ts";
import { workState } from "#db/schema/encoding.ts";
import { isOpen } from "../../media/encoding-work.server.ts";
import { longRetired } from "../../media/served-file.server.ts";
import {
  trailerVersion as madeVersion,
  type TrailerView,
  trailerView,
} from "../../media/trailer-view.server.ts";
import { changeItem } from "../item/change-item.server.ts";
import { type EditedItem, selectItems } from "../item/items.server.ts";
import type { SavedPart } from "../item/save-part.server.ts";
import type { FieldErrors } from "../item/text-fields.ts";
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

const TrailerRow = z.object({
  from: number,
  to: number,
  version: number,
  made: number.nullable(),
  state: z.enum(workState.enumValues).nullable(),
});

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
    SELECT t.from_seconds AS from, t.to_seconds AS to, t.version::float8 AS version, ${madeVersion} AS made,
      ${stepState} AS state
    FROM media_trailers t JOIN media m ON m.id = t.media_id WHERE t.media_id = ${mediaId}`;
}

function storedTrailer(
  mediaId: string,
  { from, to, version, made, state }: z.infer<typeof TrailerRow>,
): StoredTrailer {
  const isWanted = state !== null && isOpen({ state });
  return {
    ...{ range: { from, to }, made: trailerView(mediaId, made) },
    ...{ isWanted, isStopped: !isWanted && state !== "done" && made !== version },
  };
}

/** For a row `t` of media_trailers. */
const stepState = sql`(SELECT w.state FROM media_work w WHERE w.media_id = t.media_id AND w.step = ${TRAILER_STEP})`;

export function trailerVersion(range: TrailerRange | null): string {
  return versionOf({ from: range?.from ?? null, to: range?.to ?? null });
}

/** Null removes the trailer, with all its addresses, even those of earlier ranges. `version`: of the range that the form was opened with. */
export async function saveTrailer(
  actor: Actor,
  mediaId: string,
  range: TrailerRange | null,
  version: string,
): Promise<SavedPart<object>> {
  const saved = await changeItem(actor, mediaId, (tx, item) => save(tx, actor, item, range, version));
  return typeof saved === "string" ? { saved: false, errors: { form: saved } } : saved;
}

async function save(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  range: TrailerRange | null,
  version: string,
): Promise<SavedPart<object>> {
  if (item.type !== "video") return { saved: false, errors: { form: "Only a video can have a trailer." } };
  const trailer = await findTrailer(item.id, tx);
  const stored = trailer?.range ?? null;
  const present = trailerVersion(stored);
  const isChanged = present !== trailerVersion(range);
  const errors: FieldErrors = range && isChanged ? rangeErrors(range, item.durationSeconds ?? 0) : {};
  if (Object.keys(errors).length > 0) return { saved: false, errors };
  if (isChanged && version !== present) {
    const edit = await lastEdit(tx, item.id, [], ["media.trailerChanged", "media.trailerRemoved"]);
    const values = stored ?? { from: null, to: null };
    return { saved: false, conflict: { stored: values, version: present, fields: ["from", "to"], edit } };
  }
  const before = stored === null ? {} : { before: { trailer: stored } };
  if (range === null) {
    if (stored !== null) {
      await remove(tx, item.id);
      await record(tx, actor, item, "media.trailerRemoved", before);
    }
  } else if (isChanged) {
    await tx.execute(sql`
      INSERT INTO media_trailers (media_id, from_seconds, to_seconds, version)
      VALUES (${item.id}, ${range.from}, ${range.to}, 0)
      ON CONFLICT (media_id) DO UPDATE SET from_seconds = excluded.from_seconds, to_seconds = excluded.to_seconds`);
    await queueTrailer(tx, item.id);
    await record(tx, actor, item, "media.trailerChanged", { ...before, after: { trailer: range } });
  } else if (trailer?.isStopped) {
    await queueTrailer(tx, item.id);
    await record(tx, actor, item, "encoding.retried", {});
  }
  return { saved: true, title: item.title, renamed: [] };
}

async function remove(tx: Transaction, mediaId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM media_trailers WHERE media_id = ${mediaId}`);
  await tx.execute(sql`DELETE FROM media_work WHERE media_id = ${mediaId} AND step = ${TRAILER_STEP}`);
  await replaceFiles(tx, mediaId, [], { groups: [TRAILER_STEP] });
  await tx.execute(sql`UPDATE media_files SET retired_at = ${longRetired} WHERE media_id = ${mediaId}
    AND name IN (${fileNames.trailer()}, ${fileNames.trailerHover()})`);
}

async function record(
  tx: Transaction,
  actor: Actor,
  { id, title }: EditedItem,
  action: AuditAction,
  facts: { before?: object; after?: object },
): Promise<void> {
  await recordAudit(tx, { actor, action, subjectKind: "media", subjectId: id, subjectName: title, ...facts });
}
