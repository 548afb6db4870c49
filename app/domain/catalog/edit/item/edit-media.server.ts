import { sql } from "drizzle-orm";
import { OWN_ALT_END } from "#app/domain/media/item-texts.ts";
import { readToday } from "#app/domain/site/site.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Conflict, compareEdits } from "#app/domain/staff/compare-edits.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { number, readOne, readRows, text } from "#db/rows.ts";
import type { MediaState } from "../../media/media.server.ts";
import { storedNames } from "../../media/names.server.ts";
import { photoVersion, photoView, StoredPhoto } from "../../media/photos.server.ts";
import type { PictureView } from "../../media/picture-view.ts";
import { UUID } from "../../media/served-file.server.ts";
import { changeItem } from "./change-item.server.ts";
import { type EditedItem, readItem, storedValues, valuesOf } from "./items.server.ts";
import {
  errorsOf,
  type FieldValue,
  normalized,
  PHOTOS_AT_ONCE,
  photoFields,
  type SectionName,
  type SectionValues,
} from "./sections.ts";
import { listShoot, resolveShoot, type ShootItem } from "./shoots.server.ts";
import type { FieldErrors } from "./text-fields.ts";
import { writeFields } from "./write-fields.server.ts";

export interface EditableMedia extends EditedItem {
  values: Omit<SectionValues, "photos">;
  shoot: ShootItem[];
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
  /** `renamed`: typed names that were saved under another name. */
  | { saved: true; renamed?: string[] }
  | { saved: false; conflicts: Conflict<FieldValue>[] }
  /** "form" when no field is wrong. */
  | { saved: false; errors: FieldErrors };

export type SaveRefusal = Extract<SaveResult, { saved: false }>;

export async function findEditable(id: string): Promise<EditableMedia | null> {
  const item = UUID.test(id) ? await readItem(db, id) : null;
  if (item === null) return null;
  const photosWithAlt = await readOne(db, number)`SELECT count(*)::int FROM photos
      WHERE media_id = ${id} AND position IS NOT NULL AND alt <> '' AND alt !~ ${OWN_ALT_END}`;
  return {
    ...item,
    values: valuesOf(item),
    shoot: item.shootId === null ? [] : await listShoot(db, item.shootId, id),
    photosWithAlt,
  };
}

/** A later expiry date brings an item back online, which is publishing: decision 147. */
export function mayChangeExpiry(actor: Actor, state: MediaState): boolean {
  return mayDo(actor, state === "draft" ? "media.edit" : "media.publish");
}

const PhotoRow = StoredPhoto.omit({ isFavorited: true }).extend({ id: text });
const ListedPhoto = PhotoRow.extend({ total: number });
const photoColumns = sql`p.id, p.number, ${photoVersion} AS version, p.alt, p.width, p.height, p.widest::int AS widest,
  p.color, p.is_preview AS "isPreview"`;

/** `page`: from 1. */
export async function listEditablePhotos(
  mediaId: string,
  page: number,
): Promise<{ photos: EditablePhoto[]; pages: number; values: SectionValues["photos"] }> {
  const rows = await readRows(db, ListedPhoto)`
    SELECT ${photoColumns}, p.position, count(*) OVER ()::int AS total
    FROM photos p WHERE p.media_id = ${mediaId} AND p.position IS NOT NULL ORDER BY p.position
    LIMIT ${PHOTOS_AT_ONCE} OFFSET ${(page - 1) * PHOTOS_AT_ONCE}`;
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
export async function saveSection<Name extends SectionName>(
  actor: Actor,
  id: string,
  name: Name,
  opened: SectionValues[Name],
  wanted: SectionValues[Name],
): Promise<SaveResult> {
  const [before, sent] = [normalized(name, opened), normalized(name, wanted)];
  const other = name === "shoot" ? (sent as Shoot).shoot : null;
  const save = (tx: Transaction, item: EditedItem) =>
    name === "shoot"
      ? saveShoot(tx, actor, item, before as Shoot, sent as Shoot)
      : saveFields(tx, actor, item, name, before, sent);
  const saved = await changeItem(actor, id, save, { others: other === null ? [] : [other] });
  return typeof saved === "string" ? refused(saved) : saved;
}

type Shoot = SectionValues["shoot"];

async function saveShoot(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  opened: Shoot,
  sent: Shoot,
): Promise<SaveResult> {
  if (sent.shoot === null || sent.shoot === opened.shoot) {
    return saveFields(tx, actor, item, "shoot", opened, sent);
  }
  const target = await resolveShoot(tx, item.id, sent.shoot);
  if (target === null) return { saved: false, errors: { shoot: "That item no longer exists." } };
  const { shootId, starterId } = target;
  const own = await compareFields(tx, actor, item, "shoot", opened, { shoot: shootId });
  if ("saved" in own) return own;
  const starter = starterId === null ? null : await readItem(tx, starterId);
  const others =
    starter === null ? [] : [{ item: starter, changed: { shoot: shootId }, stored: { shoot: null } }];
  await changeFields(tx, actor, "shoot", [own, ...others]);
  return { saved: true };
}

async function saveFields<Name extends SectionName>(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  name: Name,
  opened: SectionValues[Name],
  sent: SectionValues[Name],
): Promise<SaveResult> {
  const wanted = await withStoredNames(tx, name, sent);
  const own = await compareFields(tx, actor, item, name, opened, sent, wanted);
  if ("saved" in own) return own;
  await changeFields(tx, actor, name, [own]);
  const [typed, stored] = [namesIn(sent), namesIn(wanted)];
  const renamed = typed.filter((each) => !stored.includes(each));
  return renamed.length === 0 ? { saved: true } : { saved: true, renamed };
}

/** So that the log has what is stored, and another name for what is there is no change. */
async function withStoredNames<Name extends SectionName>(
  tx: Transaction,
  name: Name,
  sent: SectionValues[Name],
): Promise<SectionValues[Name]> {
  if (name !== "tags" && name !== "credits") return sent;
  const kind = name === "tags" ? "tag" : "creator";
  const names = await storedNames(kind, namesIn(sent), tx);
  return normalized(name, (name === "tags" ? { tags: names } : { creators: names }) as SectionValues[Name]);
}

function namesIn(values: object): string[] {
  if ("tags" in values) return values.tags as string[];
  return "creators" in values ? (values.creators as string[]) : [];
}

async function compareFields<Name extends SectionName>(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  name: Name,
  opened: SectionValues[Name],
  sent: SectionValues[Name],
  wanted = sent,
): Promise<ChangedItem<Name> | SaveRefusal> {
  const errors = errorsOf(name, sent, { ...item, today: await readToday(tx) });
  if ("photos" in errors) return { saved: false, errors };
  const stored = normalized(name, await storedValues(tx, item, name, Object.keys(sent)));
  const { changed, conflicts } = compareEdits<FieldValue>({ ...opened }, { ...stored }, { ...wanted });
  const fields = Object.keys(changed);
  if ("expireAt" in changed && !mayChangeExpiry(actor, item.state)) {
    return { saved: false, errors: { expireAt: "Your role does not allow you to change the expiry date." } };
  }
  // An editor need not fix what others have stored.
  if (fields.some((field) => field in errors)) return { saved: false, errors };
  if ([...fields, ...conflicts.map(({ field }) => field)].some((field) => !(field in stored))) {
    return refused("Part of this item no longer exists. Load the page again.");
  }
  if (conflicts.length > 0) return { saved: false, conflicts };
  return { item, changed: changed as Partial<SectionValues[Name]>, stored };
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
