import { type SQL, sql } from "drizzle-orm";
import { OWN_ALT_END } from "#app/domain/media/item-texts.ts";
import { readToday } from "#app/domain/site/site.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Conflict, compareEdits } from "#app/domain/staff/compare-edits.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { number, readOne, readRows, text } from "#db/rows.ts";
import { photoVersion, photoView, StoredPhoto } from "../../media/photos.server.ts";
import type { PictureView } from "../../media/picture-view.ts";
import { UUID } from "../../media/served-file.server.ts";
import { changeItem } from "./change-item.server.ts";
import { type EditedItem, readItem, storedValues } from "./items.server.ts";
import type { FormSectionName } from "./section-fields.ts";
import {
  errorsOf,
  type FieldValue,
  normalized,
  PHOTOS_AT_ONCE,
  photoFields,
  type SectionName,
  type SectionValues,
} from "./sections.ts";
import type { FieldErrors } from "./text-fields.ts";
import { writeFields } from "./write-fields.server.ts";

export interface EditableMedia extends EditedItem {
  photosWithAlt: number;
}

export interface EditablePhoto {
  id: string;
  position: number;
  alt: string;
  isPreview: boolean;
  version: number;
  picture: PictureView | null;
}

export type SaveResult =
  | { saved: true }
  | { saved: false; conflicts: Conflict<FieldValue>[] }
  /** "form" when no field is wrong. */
  | { saved: false; errors: FieldErrors };

export type SaveRefusal = Extract<SaveResult, { saved: false }>;

export async function findEditable(id: string): Promise<EditableMedia | null> {
  const item = UUID.test(id) ? await readItem(db, id) : null;
  if (item === null) return null;
  const photosWithAlt = await readOne(db, number)`SELECT count(*)::int FROM photos
      WHERE media_id = ${id} AND position IS NOT NULL AND alt <> '' AND alt !~ ${OWN_ALT_END}`;
  return { ...item, photosWithAlt };
}

const PhotoRow = StoredPhoto.omit({ isFavorited: true }).extend({ id: text });
export const ListedPhoto = PhotoRow.extend({ total: number });
const photoColumns = sql`p.id, p.number, ${photoVersion} AS version, p.alt, p.width, p.height, p.widest::int AS widest,
  p.color, p.is_preview AS "isPreview"`;

/** `page`: from 1. */
export async function listEditablePhotos(
  mediaId: string,
  page: number,
): Promise<{ photos: EditablePhoto[]; pages: number; values: SectionValues["photos"] }> {
  const rows = await readRows(db, ListedPhoto)`${selectPhotos(sql`${mediaId}`, page)}`;
  const photos = rows.map(({ id, ...photo }) => {
    const { position, alt, isPreview, version } = photo;
    return { id, position, alt, isPreview, version, picture: photoView(mediaId, photo, true).picture };
  });
  return {
    photos,
    pages: Math.ceil((rows[0]?.total ?? 0) / PHOTOS_AT_ONCE),
    values: photoFields(photos),
  };
}

/** The rows of ListedPhoto, in their order. */
export function selectPhotos(mediaId: SQL, page: number): SQL {
  return sql`
    SELECT ${photoColumns}, p.position, count(*) OVER ()::int AS total
    FROM photos p WHERE p.media_id = ${mediaId} AND p.position IS NOT NULL ORDER BY p.position
    LIMIT ${PHOTOS_AT_ONCE} OFFSET ${(page - 1) * PHOTOS_AT_ONCE}`;
}

export async function listLeftOut(
  mediaId: string,
): Promise<{ id: string; number: number; picture: PictureView | null }[]> {
  const rows = await readRows(db, PhotoRow)`
    SELECT ${photoColumns}, 0 AS position
    FROM photos p WHERE p.media_id = ${mediaId} AND p.position IS NULL ORDER BY p.number`;
  return rows.map(({ id, ...photo }) => ({
    id,
    number: photo.number,
    picture: photoView(mediaId, photo, true).picture,
  }));
}

/** Saves the fields that differ from `opened`, or none when somebody else has changed one of them in the meantime. */
export async function saveSection<Name extends FormSectionName>(
  actor: Actor,
  id: string,
  name: Name,
  opened: SectionValues[Name],
  wanted: SectionValues[Name],
): Promise<SaveResult> {
  const [before, sent] = [normalized(name, opened), normalized(name, wanted)];
  const saved = await changeItem(actor, id, (tx, item) => saveFields(tx, actor, item, name, before, sent));
  return typeof saved === "string" ? refused(saved) : saved;
}

async function saveFields<Name extends FormSectionName>(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  name: Name,
  opened: SectionValues[Name],
  sent: SectionValues[Name],
): Promise<SaveResult> {
  const errors = errorsOf(name, sent, { ...item, today: await readToday(tx) });
  if ("photos" in errors) return { saved: false, errors };
  const stored = normalized(name, await storedValues(tx, item, name, Object.keys(sent)));
  const { changed, conflicts } = compareEdits<FieldValue>({ ...opened }, { ...stored }, { ...sent });
  const fields = Object.keys(changed);
  // An editor need not fix what others have stored.
  if (fields.some((field) => field in errors)) return { saved: false, errors };
  if ([...fields, ...conflicts.map(({ field }) => field)].some((field) => !(field in stored))) {
    return refused("Part of this item no longer exists. Load the page again.");
  }
  if (conflicts.length > 0) return { saved: false, conflicts };
  await changeFields(tx, actor, name, [{ item, changed: changed as Partial<SectionValues[Name]>, stored }]);
  return { saved: true };
}

interface ChangedItem<Name extends SectionName> {
  item: EditedItem;
  changed: Partial<SectionValues[Name]>;
  stored: SectionValues[Name];
}

/** The rows must be locked. The audit log comes last. */
export async function changeFields<Name extends SectionName>(
  tx: Transaction,
  actor: Actor,
  name: Name,
  items: ChangedItem<Name>[],
): Promise<void> {
  const touched = items.filter(({ changed }) => Object.keys(changed).length > 0);
  for (const { item, changed } of touched) await writeFields(tx, item, name, changed);
  for (const { item, changed, stored } of touched) await recordEdit(tx, actor, item, changed, stored);
}

export async function recordEdit(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  changed: object,
  stored: object,
): Promise<void> {
  const before: Record<string, unknown> = { ...stored };
  await recordAudit(tx, {
    actor,
    action: "media.edited",
    subjectKind: "media",
    subjectId: item.id,
    subjectName: item.title,
    before: Object.fromEntries(Object.keys(changed).map((field) => [field, before[field]])),
    after: changed,
  });
}

export function refused(sentence: string, field = "form"): SaveRefusal {
  return { saved: false, errors: { [field]: sentence } };
}
