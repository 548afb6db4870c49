import { z } from "zod";
import { isGeneratedAlt, withoutCount } from "#app/domain/media/item-texts.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import { lastEdit, versionOf } from "#app/domain/staff/part-versions.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import type { Transaction } from "#db/client.server.ts";
import { flag, number, readRows, text } from "#db/rows.ts";
import { changeItem } from "../item/change-item.server.ts";
import type { EditedItem } from "../item/items.server.ts";
import { changesOf, type SavedPart } from "../item/save-part.server.ts";
import { errorsOf, normalized, photoFields } from "../item/sections.ts";
import { recordEdit, writeFields } from "../item/write-fields.server.ts";
import { arrange, writeOrder } from "./photo-order.server.ts";

/** "alt-<id>", "isPreview-<id>" and "position-<id>", which is null for a photo that is left out. */
export type PhotoValues = Record<string, string | boolean | number | null>;

export interface SentPhoto {
  id: string;
  alt: string;
  isPreview: boolean;
  isLeftOut: boolean;
  /** Null when nobody has typed another position: others may have moved the photo. */
  moveTo: number | null;
}

interface SentPhotos {
  photos: SentPhoto[];
  /** The ids of left-out photos. */
  broughtBack: string[];
}

const EditedPhoto = z.object({ id: text, number, position: number.nullable(), alt: text, isPreview: flag });
type EditedPhoto = z.infer<typeof EditedPhoto>;

const ORDER_ACTIONS: AuditAction[] = [
  "media.photoLeftOut",
  "media.photoBroughtBack",
  "media.photosReordered",
];

/** One half for the texts and one for the positions, so that moved photos are no conflict for texts. The same in any order. */
export function photosVersion(photos: Omit<EditedPhoto, "number">[]): string {
  const sorted = photos.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const texts = photoFields(sorted.map((photo) => ({ ...photo, alt: withoutCount(photo.alt) })));
  return [normalized("photos", texts), positionsOf(sorted)].map(versionOf).join("-");
}

/** Saves the texts and the order of some photos of a set, or nothing when somebody has changed them since `version`. */
export async function savePhotos(
  actor: Actor,
  mediaId: string,
  version: string,
  sent: SentPhotos,
): Promise<SavedPart<PhotoValues>> {
  const saved = await changeItem(actor, mediaId, (tx, item) => save(tx, actor, item, version, sent));
  return typeof saved === "string" ? refused({ form: saved }) : saved;
}

async function save(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  version: string,
  { photos, broughtBack }: SentPhotos,
): Promise<SavedPart<PhotoValues>> {
  const set = await readRows(tx, EditedPhoto)`
    SELECT id, number, position, alt, is_preview AS "isPreview" FROM photos WHERE media_id = ${item.id} ORDER BY number`;
  const known = new Map(set.map((photo) => [photo.id, photo]));
  const own = photos.flatMap(({ id }) => known.get(id) ?? []);
  if (own.length < photos.length || broughtBack.some((id) => !known.has(id))) {
    return refused({ form: "Part of this item no longer exists. Load the page again." });
  }
  const stored: PhotoValues = { ...normalized("photos", photoFields(own)), ...positionsOf(own) };
  const wanted = normalized(
    "photos",
    photoFields(photos.map((photo) => withStoredAlt(photo, known.get(photo.id)))),
  );
  const texts = changesOf(stored, wanted);
  const arranged = arrange(set, {
    leftOut: idsOf(photos.filter(({ isLeftOut }) => isLeftOut)),
    broughtBack: new Set(broughtBack),
    moves: new Map(photos.flatMap(({ id, moveTo }) => (moveTo === null ? [] : [[id, moveTo]]))),
  });
  if (typeof arranged === "string") return refused({ form: arranged });

  const errors = Object.entries(errorsOf("photos", wanted, null)).filter(([field]) => field in texts);
  if (errors.length > 0) return refused(Object.fromEntries(errors));
  const placed = photos
    .filter(({ id, isLeftOut, moveTo }) => {
      const position = known.get(id)?.position ?? null;
      return isLeftOut ? position !== null : moveTo !== null && moveTo !== position;
    })
    .map(({ id }) => `position-${id}`);
  const fields = [...Object.keys(texts), ...placed];
  const [openedTexts, openedOrder] = version.split("-");
  const [presentTexts, presentOrder] = photosVersion(own).split("-");
  const isStale =
    (Object.keys(texts).length > 0 && openedTexts !== presentTexts) ||
    (placed.length > 0 && openedOrder !== presentOrder);
  if (isStale) {
    const edit = await lastEdit(tx, item.id, Object.keys(stored), ORDER_ACTIONS);
    return { saved: false, conflict: { stored, version: photosVersion(own), fields, edit } };
  }
  const { order, entries } = arranged;
  if (Object.keys(texts).length > 0) await writeFields(tx, item, "photos", texts as Record<string, string>);
  if (entries.length > 0) await writeOrder(tx, item.id, order);
  // The audit log comes last: its lock must come after all others.
  if (Object.keys(texts).length > 0) await recordEdit(tx, actor, item, texts, stored);
  const subject = { subjectKind: "media", subjectId: item.id, subjectName: item.title } as const;
  for (const { action, facts } of entries) await recordAudit(tx, { actor, action, ...subject, after: facts });
  return { saved: true, title: item.title, renamed: [] };
}

function positionsOf(photos: Omit<EditedPhoto, "number">[]): Record<string, number | null> {
  return Object.fromEntries(photos.map(({ id, position }) => [`position-${id}`, position]));
}

/** A generated text contains the position and the count, which may have changed since the form was opened. */
function withStoredAlt(sent: SentPhoto, stored: EditedPhoto | undefined): SentPhoto {
  const isGenerated = stored !== undefined && isGeneratedAlt(sent.alt) && isGeneratedAlt(stored.alt);
  return isGenerated && withoutCount(sent.alt) === withoutCount(stored.alt)
    ? { ...sent, alt: stored.alt }
    : sent;
}

function idsOf(photos: { id: string }[]): Set<string> {
  return new Set(photos.map(({ id }) => id));
}

function refused(errors: Record<string, string>): SavedPart<PhotoValues> {
  return { saved: false, errors };
}
