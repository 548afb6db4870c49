import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { GENERATED_ALT_END } from "#app/domain/media/item-texts.ts";
import { db } from "#db/client.server.ts";
import { number, readRow, text } from "#db/rows.ts";
import { photoVersion, StoredPhoto } from "../../media/photos.server.ts";
import { EditedItem, selectItems } from "./items.server.ts";
import { PHOTOS_AT_ONCE } from "./sections.ts";

export const ListedPhoto = StoredPhoto.omit({ isFavorited: true }).extend({ id: text });
const photoColumns = sql`p.id, p.number, ${photoVersion} AS version, p.alt, p.width, p.height, p.widest::int AS widest,
  p.color, p.is_preview AS "isPreview"`;

/** The rows of ListedPhoto, in their order. `page`: from 1. */
export function selectPhotos(mediaId: SQL, page: number): SQL {
  return sql`
    SELECT ${photoColumns}, p.position FROM photos p WHERE p.media_id = ${mediaId} AND p.position IS NOT NULL
    ORDER BY p.position LIMIT ${PHOTOS_AT_ONCE} OFFSET ${(page - 1) * PHOTOS_AT_ONCE}`;
}

/** `position` is null for a photo that is left out. */
const Photo = ListedPhoto.extend({ position: number.nullable() });
const Photos = z.object({
  item: EditedItem,
  photos: z.array(Photo),
  /** With those that are left out. */
  all: number,
  /** How many have a text that somebody wrote. */
  described: number,
});

/** What a page about an item's photos shows: those that are left out follow the others. */
export async function findPhotos(id: string, page: number): Promise<z.infer<typeof Photos> | null> {
  return readRow(db, Photos)`
    SELECT to_jsonb(item) AS item,
      COALESCE((SELECT jsonb_agg(to_jsonb(photo)) FROM (SELECT ${photoColumns}, p.position FROM photos p
        WHERE p.media_id = item.id ORDER BY p.position, p.number
        LIMIT ${PHOTOS_AT_ONCE} OFFSET ${(page - 1) * PHOTOS_AT_ONCE}) photo), '[]') AS photos, counts.*
    FROM (${selectItems([id])}) item CROSS JOIN LATERAL (SELECT count(*)::int AS "all",
      (count(*) FILTER (WHERE p.position IS NOT NULL AND p.alt <> '' AND p.alt !~ ${GENERATED_ALT_END}))::int AS described
      FROM photos p WHERE p.media_id = item.id) counts`;
}
