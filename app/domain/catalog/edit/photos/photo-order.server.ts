import { sql } from "drizzle-orm";
import { GENERATED_ALT_END, ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import { type Transaction, uuids } from "#db/client.server.ts";
import { refreshCountsOf } from "../../media/counts.server.ts";
import { writePhotoRights } from "../item/photo-rights.server.ts";

interface Photo {
  id: string;
  number: number;
  position: number | null;
}

interface Changes {
  /** Ids of photos. */
  leftOut: ReadonlySet<string>;
  broughtBack: ReadonlySet<string>;
  /** The new positions of photos, by their ids. */
  moves: ReadonlyMap<string, number>;
}

interface Arranged {
  /** The ids of all photos that are not left out. */
  order: string[];
  /** None when nothing changes. */
  entries: { action: AuditAction; facts: object }[];
}

/**
 * The others close the gaps, and two photos that move to one position keep their order. A photo that is brought back stands
 * after the nearest one that was added before it. `photos`: the set, by number. A sentence when it is impossible.
 */
export function arrange(photos: Photo[], { leftOut, broughtBack, moves }: Changes): Arranged | string {
  const present = inOrder(photos);
  const gone = present.filter(({ id }) => leftOut.has(id));
  const back = photos.filter(({ id, position }) => position === null && broughtBack.has(id));
  const staying = present.filter((photo) => !gone.includes(photo));
  for (const photo of back) {
    staying.splice(staying.findLastIndex(({ number }) => number < photo.number) + 1, 0, photo);
  }
  if (gone.length > 0 && staying.length === 0) return "At least one photo must stay in the set.";
  if (back.length > 0 && staying.length > ITEM_LIMITS.photos)
    return `${FULL_SET} Leave out another one first.`;
  const order = moved(staying, ({ id }) => moves.get(id));
  const entry = (action: AuditAction, photo: Photo, position: number | null) => ({
    action,
    // The position as people saw it then, and the number, which never changes.
    facts: { photo: position, number: photo.number },
  });
  const entries = [
    ...gone.map((photo) => entry("media.photoLeftOut", photo, photo.position)),
    ...back.map((photo) => entry("media.photoBroughtBack", photo, order.indexOf(photo) + 1)),
  ];
  const isReordered = order.some((photo, index) => photo !== staying[index]);
  return {
    order: order.map(({ id }) => id),
    entries: isReordered
      ? [...entries, { action: "media.photosReordered", facts: { order: order.map(({ number }) => number) } }]
      : entries,
  };
}

/** `wanted`: the new position of a photo that moves. */
function moved(photos: Photo[], wanted: (photo: Photo) => number | undefined): Photo[] {
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

export const FULL_SET = `A set can have up to ${ITEM_LIMITS.photos.toLocaleString("en")} photos.`;

function inOrder(photos: Photo[]): Photo[] {
  return photos
    .filter(({ position }) => position !== null)
    .sort((one, other) => (one.position ?? 0) - (other.position ?? 0));
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
    UPDATE photos SET alt = regexp_replace(alt, ${GENERATED_ALT_END}, ', photo ' || position || ' of ' || ${order.length}::int)
    WHERE media_id = ${mediaId} AND position IS NOT NULL AND alt ~ ${GENERATED_ALT_END}`);
  await tx.execute(sql`
    UPDATE media SET photo_count = ${order.length}, updated_at = clock_timestamp() WHERE id = ${mediaId}`);
  await writePhotoRights(tx, mediaId);
  await refreshCountsOf([mediaId], tx);
}
