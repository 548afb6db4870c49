import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { CaptionsError, toWebVtt } from "#app/domain/media/import/captions/captions.ts";
import { ITEM_LIMITS, normalizeName, textError } from "#app/domain/media/item-texts.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { type MediaFileRow, storeCaptions } from "#app/domain/media/store-file.server.ts";
import { tagOfLanguage } from "#app/domain/media/video/common-languages.ts";
import { canonicalLanguage, LANGUAGE_TAG, ownNameOf } from "#app/domain/media/video/tracks.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { UUID } from "#app/texts.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { number, readRow, readRows, text } from "#db/rows.ts";
import { captionsNames, isCaptions } from "../../media/video-contents.server.ts";
import { isLatest } from "../../media/visibility.server.ts";
import { changeItem } from "../item/change-item.server.ts";
import { EditedItem, selectItems } from "../item/items.server.ts";
import { NO_ITEM, NOT_ALLOWED } from "../states/media-states.ts";
import { claimFileVersion, dropUnusedVersion, replaceFiles } from "./replace-files.server.ts";

const CaptionsRow = z.object({
  language: text.nullable(),
  label: text.nullable(),
  version: number,
  name: text,
});
export interface StoredCaptions {
  language: string;
  label: string;
  version: number;
  url: string;
}

/** `errors`: by field; "form" when no field is wrong. */
export type CaptionsResult =
  | { saved: true; notes: string[] }
  | { saved: false; isConflict: boolean; errors: CaptionsFieldErrors };

export type CaptionsFieldErrors = Partial<Record<"language" | "label" | "file" | "form", string>>;

interface NewCaptions {
  language: string;
  label: string;
  file: Uint8Array;
}

const CHANGED = "Someone else changed these captions in the meantime. Check them, then send yours again.";

const ItemWithCaptions = z.object({ item: EditedItem, captions: z.array(CaptionsRow) });

export async function findItemWithCaptions(id: string) {
  const row = await readRow(db, ItemWithCaptions)`
    SELECT to_jsonb(item) AS item,
      COALESCE((SELECT jsonb_agg(to_jsonb(c)) FROM (${selectCaptions(sql`item.id`)}) c), '[]') AS captions
    FROM (${selectItems([id])}) item`;
  return row && { item: row.item, captions: viewsOf(id, row.captions) };
}

export async function listCaptions(mediaId: string, executor: Executor = db): Promise<StoredCaptions[]> {
  return viewsOf(mediaId, await readRows(executor, CaptionsRow)`${selectCaptions(sql`${mediaId}`)}`);
}

function selectCaptions(mediaId: SQL): SQL {
  return sql`
    SELECT name, language, label, version
    FROM media_files f WHERE f.media_id = ${mediaId} AND ${isCaptions} ORDER BY label, name`;
}

function viewsOf(mediaId: string, rows: z.infer<typeof CaptionsRow>[]): StoredCaptions[] {
  return rows.map(({ name, version, ...row }) => ({
    ...captionsNames(row),
    ...{ version, url: paths.mediaFile(mediaId, name, version) },
  }));
}

/** `opened`: the version that the form replaces; null for a new language. */
export async function saveCaptions(
  actor: Actor,
  mediaId: string,
  { file, ...named }: NewCaptions,
  opened: number | null,
): Promise<CaptionsResult> {
  const tag = tagOfLanguage(named.language) ?? named.language;
  const language = LANGUAGE_TAG.test(tag) ? canonicalLanguage(tag) : null;
  const label = labelFor(named.label, language);
  const { vtt, notes, error } = read(file, language ?? "");
  const errors: CaptionsFieldErrors = {
    ...(language === null
      ? { language: "Please enter a language, such as English, or its tag, such as en or pt-BR." }
      : {}),
    ...labelError(label),
    ...(error === null ? {} : { file: error }),
  };
  if (language === null || Object.keys(errors).length > 0) return refused(errors);
  if (!mayDo(actor, "media.edit")) return refused({ form: NOT_ALLOWED });
  const version = UUID.test(mediaId) ? await claimFileVersion(mediaId) : null;
  if (version === null) return refused({ form: NO_ITEM });
  try {
    const stored = await storeCaptions(vtt, { mediaId, version, language, label });
    return await changeCaptions(actor, mediaId, language, "media.captionsSaved", async (tx, _item, all) => {
      const present = find(all, language);
      if (present === undefined && opened !== null) return conflict(GONE);
      if (present !== undefined && opened === null) {
        return refused({
          language: `There are already captions in ${present.label}. Replace those instead.`,
        });
      }
      if (present !== undefined && present.version !== opened) return conflict(CHANGED);
      if (present === undefined && all.length >= ITEM_LIMITS.captions) {
        return refused({ form: `A video can have captions in up to ${ITEM_LIMITS.captions} languages.` });
      }
      await replaceFiles(tx, mediaId, [stored satisfies MediaFileRow]);
      return { saved: true, notes };
    });
  } finally {
    await dropUnusedVersion(mediaId, version);
  }
}

export function renameCaptions(
  actor: Actor,
  mediaId: string,
  { language, label: typed }: { language: string; label: string },
  opened: string,
): Promise<CaptionsResult> {
  const label = labelFor(typed, language);
  const errors = labelError(label);
  if (Object.keys(errors).length > 0) return Promise.resolve(refused(errors));
  return changeCaptions(actor, mediaId, language, "media.captionsRenamed", async (tx, item, all) => {
    const present = find(all, language);
    if (present === undefined) return conflict(GONE);
    if (present.label !== opened && present.label !== label) return conflict(CHANGED);
    await tx.execute(sql`
      UPDATE media_files f SET label = ${label}
      WHERE f.media_id = ${item.id} AND f.name = ${fileNames.captions(present.language)} AND ${isLatest}`);
    await tx.execute(sql`UPDATE media SET updated_at = clock_timestamp() WHERE id = ${item.id}`);
    return { saved: true, notes: [] };
  });
}

export function removeCaptions(
  actor: Actor,
  mediaId: string,
  language: string,
  opened: number | null,
): Promise<CaptionsResult> {
  return changeCaptions(actor, mediaId, language, "media.captionsRemoved", async (tx, item, all) => {
    const present = find(all, language);
    if (present === undefined) return { saved: true, notes: [] };
    if (present.version !== opened) return conflict(CHANGED);
    await replaceFiles(tx, item.id, [], { groups: [fileNames.captions(present.language)] });
    return { saved: true, notes: [] };
  });
}

const GONE = "Someone removed these captions in the meantime.";

type Change = (tx: Transaction, item: EditedItem, all: StoredCaptions[]) => Promise<CaptionsResult>;

async function changeCaptions(
  actor: Actor,
  mediaId: string,
  language: string,
  action: AuditAction,
  change: Change,
): Promise<CaptionsResult> {
  const changed = await changeItem(actor, mediaId, async (tx, item) => {
    if (item.type !== "video") return "Only a video can have captions.";
    const before = await listCaptions(mediaId, tx);
    const result = await change(tx, item, before);
    if (!result.saved) return result;
    const after = await listCaptions(mediaId, tx);
    const [was, is] = [find(before, language), find(after, language)];
    if (was?.label === is?.label && was?.version === is?.version) return result;
    await recordAudit(tx, {
      ...{ actor, action, subjectKind: "media", subjectId: mediaId, subjectName: item.title },
      ...(was === undefined ? {} : { before: { captions: was.label } }),
      after: { language, ...(is === undefined ? {} : { captions: is.label }) },
    });
    return result;
  });
  return typeof changed === "string" ? refused({ form: changed }) : changed;
}

function read(file: Uint8Array, language: string): { vtt: string; notes: string[]; error: string | null } {
  try {
    return { ...toWebVtt(file, { language }), error: null };
  } catch (error) {
    if (!(error instanceof CaptionsError)) throw error;
    return { vtt: "", notes: [], error: `This file cannot be used: ${error.message}.` };
  }
}

/** A name that was left empty is the language's own; empty when that is unknown, too. */
function labelFor(typed: string, language: string | null): string {
  const label = normalizeName(typed);
  return label === "" && language !== null && LANGUAGE_TAG.test(language) ? ownNameOf(language) : label;
}

function labelError(label: string): CaptionsFieldErrors {
  if (label === "") return {};
  const error = textError("The label", label, ITEM_LIMITS.captionsLabel);
  return error === null ? {} : { label: error };
}

function find(all: StoredCaptions[], language: string): StoredCaptions | undefined {
  return all.find((each) => each.language.toLowerCase() === language.toLowerCase());
}

function refused(errors: CaptionsFieldErrors): CaptionsResult {
  return { saved: false, isConflict: false, errors };
}

function conflict(sentence: string): CaptionsResult {
  return { saved: false, isConflict: true, errors: { form: sentence } };
}
