import { sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client.server.ts";
import { flag, readRow, text } from "#db/rows.ts";

const Favorite = z.object({ id: text, isFavorited: flag, mediaId: text, userId: text });
export type Favorite = z.infer<typeof Favorite>;

const ROW = sql`f.id, f.is_favorited AS "isFavorited", f.media_id AS "mediaId", f.user_id AS "userId"`;

/** A null `isFavorited` keeps an existing value. The caller has checked accessTo(). Null without such media. */
export async function saveFavorite(
  userId: string,
  mediaId: string,
  isFavorited: true | null,
): Promise<Favorite | null> {
  return readRow(db, Favorite)`
    INSERT INTO favorites AS f (media_id, user_id, is_favorited)
    SELECT id, ${userId}, true FROM media WHERE id = ${mediaId}
    ON CONFLICT (user_id, media_id) DO UPDATE SET
      is_favorited = COALESCE(${isFavorited}::boolean, f.is_favorited),
      favorited_at = CASE WHEN ${isFavorited}::boolean AND NOT f.is_favorited THEN now() ELSE f.favorited_at END
    RETURNING ${ROW}
  `;
}

/** Also for media hidden since. Null when this person never marked it, whether it exists or not. */
export async function removeFavorite(userId: string, mediaId: string): Promise<Favorite | null> {
  return readRow(db, Favorite)`
    UPDATE favorites AS f SET is_favorited = false
    WHERE f.user_id = ${userId} AND f.media_id = ${mediaId}
    RETURNING ${ROW}
  `;
}
