import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

export interface PhotoOfSet {
  mediaId: string;
  photo: number;
}

type PhotoFavorite = PhotoOfSet & { isFavorited: boolean; userId: string };

/** The caller has checked that the viewer sees the set. Null without such a photo that the viewer may see. */
export async function savePhotoFavorite(
  userId: string,
  { mediaId, photo }: PhotoOfSet,
  mayView: boolean,
): Promise<PhotoFavorite | null> {
  const saved = await db.execute(sql`
    INSERT INTO photo_favorites AS f (user_id, photo_id)
    SELECT ${userId}, p.id FROM photos p
    WHERE p.media_id = ${mediaId} AND p.number = ${photo} AND p.position IS NOT NULL AND (${mayView} OR p.is_preview)
    ON CONFLICT (user_id, photo_id) DO UPDATE SET favorited_at = f.favorited_at
    RETURNING f.photo_id
  `);
  return saved.length > 0 ? { mediaId, photo, isFavorited: true, userId } : null;
}

/** Also of photos hidden since. The same when there is nothing to remove: a double click, or another tab, was faster. */
export async function removePhotoFavorite(
  userId: string,
  { mediaId, photo }: PhotoOfSet,
): Promise<PhotoFavorite> {
  await db.execute(sql`
    DELETE FROM photo_favorites f USING photos p
    WHERE f.user_id = ${userId} AND p.id = f.photo_id AND p.media_id = ${mediaId} AND p.number = ${photo}
  `);
  return { mediaId, photo, isFavorited: false, userId };
}
