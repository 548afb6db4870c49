import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { OWN_ALT_END } from "#app/domain/media/item-texts.ts";
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

const Photos = z.object({
  item: EditedItem,
  photos: z.array(ListedPhoto),
  leftOut: z.array(ListedPhoto),
  /** How many have a text that somebody wrote. */
  described: number,
});

/** What the page about an item's photos shows. */
export async function findPhotos(id: string, page: number): Promise<z.infer<typeof Photos> | null> {
  return readRow(db, Photos)`
    SELECT to_jsonb(item) AS item,
      COALESCE((SELECT jsonb_agg(to_jsonb(photo)) FROM (${selectPhotos(sql`item.id`, page)}) photo), '[]') AS photos,
      COALESCE((SELECT jsonb_agg(to_jsonb(photo)) FROM (SELECT ${photoColumns}, 0 AS position FROM photos p
        WHERE p.media_id = item.id AND p.position IS NULL ORDER BY p.number) photo), '[]') AS "leftOut",
      (SELECT count(*)::int FROM photos p WHERE p.media_id = item.id AND p.position IS NOT NULL
        AND p.alt <> '' AND p.alt !~ ${OWN_ALT_END}) AS described
    FROM (${selectItems([id])}) item`;
}
