import { sql } from "drizzle-orm";
import { z } from "zod";
import { ITEM_LIMITS, OWN_ALT_END } from "#app/domain/media/item-texts.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import { type Conflict, compareEdits } from "#app/domain/staff/compare-edits.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { type Transaction, uuids } from "#db/client.server.ts";
import { number, readRows, text } from "#db/rows.ts";
import { refreshCountsOf } from "../../media/counts.server.ts";
import { UUID } from "../../media/served-file.server.ts";
import { changeItem } from "../item/change-item.server.ts";
import { writePhotoRights } from "../item/photo-rights.server.ts";

/** Puts the photo after the nearest one that was added before it. Null when done, otherwise a sentence. */
export function bringBackPhoto(actor: Actor, mediaId: string, photoId: string): Promise<string | null> {
  return changeOrder(actor, mediaId, (photos) => {
    const photo = photos.find(({ id }) => id === photoId);
    if (photo === undefined) return NO_PHOTO;
    const order = inOrder(photos);
    if (photo.position === null) {
      if (order.length >= ITEM_LIMITS.photos) return `${FULL_SET} Leave out another one first.`;
      const before = order.findLastIndex(({ number }) => number < photo.number);
      order.splice(before + 1, 0, photo);
    }
    const facts = factsOf(photo, order.indexOf(photo) + 1);
    return { order, entries: [{ action: "media.photoBroughtBack", facts }] };
  });
}

/** "position-<id>" and "isLeftOut-<id>" of the form's photos. */
export type Arrangement = Record<string, number | boolean>;

export type ArrangeResult =
  | { saved: true }
  | { saved: false; conflicts: Conflict<number | boolean>[] }
  | { saved: false; problem: string };

/** Moves and leaves out photos. The others close the gaps, and two photos with the same position keep their order. */
export async function arrangePhotos(
  actor: Actor,
  mediaId: string,
  opened: Arrangement,
  sent: Arrangement,
): Promise<ArrangeResult> {
  let conflicts: Conflict<number | boolean>[] = [];
  const problem = await changeOrder(actor, mediaId, (photos) => {
    const compared = compareEdits(opened, arrangementOf(photos), sent);
    ({ conflicts } = compared);
    const { changed } = compared;
    const present = inOrder(photos);
    if (conflicts.length > 0) return { order: present, entries: [] };
    const gone = present.filter(({ id }) => changed[`isLeftOut-${id}`] === true);
    const staying = present.filter((photo) => !gone.includes(photo));
    if (staying.length === 0) return "At least one photo must stay in the set.";
    const order = moved(staying, ({ id }) => changed[`position-${id}`]);
    const entries = gone.map(leftOut);
    return { order, entries: isSame(staying, order) ? entries : [...entries, reordered(order)] };
  });
  if (conflicts.length > 0) return { saved: false, conflicts };
  return problem === null ? { saved: true } : { saved: false, problem };
}

function arrangementOf(photos: Photo[]): Record<string, number | boolean | undefined> {
  const fields = photos.flatMap(({ id, position }) => [
    [`position-${id}`, position ?? 0],
    [`isLeftOut-${id}`, position === null],
  ]);
  return Object.fromEntries(fields);
}

/** `wanted`: the new position of a photo that moves. */
function moved(photos: Photo[], wanted: (photo: Photo) => number | boolean | undefined): Photo[] {
  const isMoved = (photo: Photo) => typeof wanted(photo) === "number";
  const moving = photos.filter(isMoved).sort((one, other) => Number(wanted(one)) - Number(wanted(other)));
  const resting = photos.filter((photo) => !isMoved(photo));
  const order: Photo[] = [];
  while (order.length < photos.length) {
    const [next] = moving;
    const isDue = next !== undefined && (Number(wanted(next)) <= order.length + 1 || resting.length === 0);
    order.push(...(isDue ? moving : resting).splice(0, 1));
  }
  return order;
}

function leftOut(photo: Photo): Entry {
  return { action: "media.photoLeftOut", facts: factsOf(photo, photo.position) };
}

/** For the audit log: the position as people saw it then, and the number, which never changes. */
function factsOf({ number }: Photo, position: number | null) {
  return { photo: position, number };
}

function reordered(order: Photo[]): Entry {
  return { action: "media.photosReordered", facts: { order: order.map(({ number }) => number) } };
}

export const FULL_SET = `A set can have up to ${ITEM_LIMITS.photos.toLocaleString("en")} photos.`;
const NO_PHOTO = "There is no such photo in this set.";

const Photo = z.object({ id: text, number, position: number.nullable() });
type Photo = z.infer<typeof Photo>;

interface Entry {
  action: AuditAction;
  facts: object;
}

interface NewOrder {
  order: Photo[];
  entries: Entry[];
}

async function changeOrder(
  actor: Actor,
  mediaId: string,
  plan: (photos: Photo[]) => NewOrder | string,
): Promise<string | null> {
  if (!UUID.test(mediaId)) return NO_PHOTO;
  return changeItem(actor, mediaId, async (tx, item) => {
    const photos = await readRows(tx, Photo)`
      SELECT id, number, position FROM photos WHERE media_id = ${mediaId} ORDER BY number`;
    const planned = plan(photos);
    if (typeof planned === "string") return planned;
    const { order, entries } = planned;
    if (isSame(inOrder(photos), order)) return null;
    const ids = order.map(({ id }) => id);
    await writeOrder(tx, mediaId, ids);
    const subject = { subjectKind: "media", subjectId: mediaId, subjectName: item.title } as const;
    for (const { action, facts } of entries) {
      await recordAudit(tx, { actor, action, ...subject, after: facts });
    }
    return null;
  });
}

function inOrder(photos: Photo[]): Photo[] {
  return photos
    .filter(({ position }) => position !== null)
    .sort((one, other) => (one.position ?? 0) - (other.position ?? 0));
}

function isSame(one: Photo[], other: Photo[]): boolean {
  return one.length === other.length && one.every((photo, index) => photo === other[index]);
}

/** `order`: all photos that are not left out. */
export async function writeOrder(tx: Transaction, mediaId: string, order: string[]): Promise<void> {
  await tx.execute(sql`
    UPDATE photos p SET position = planned.position::int,
      left_out_at = CASE WHEN planned.position IS NULL THEN COALESCE(p.left_out_at, clock_timestamp()) END
    FROM photos own LEFT JOIN unnest(${uuids(order)}) WITH ORDINALITY planned(id, position)
      ON planned.id = own.id
    WHERE own.media_id = ${mediaId} AND p.id = own.id AND p.position IS DISTINCT FROM planned.position`);
  // The import's own texts contain the position and the number of photos.
  await tx.execute(sql`
    UPDATE photos SET alt = regexp_replace(alt, ${OWN_ALT_END}, ', photo ' || position || ' of ' || ${order.length}::int)
    WHERE media_id = ${mediaId} AND position IS NOT NULL AND alt ~ ${OWN_ALT_END}`);
  await tx.execute(sql`
    UPDATE media SET photo_count = ${order.length}, updated_at = clock_timestamp() WHERE id = ${mediaId}`);
  await writePhotoRights(tx, mediaId);
  await refreshCountsOf([mediaId], tx);
}
