import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { favorites } from "#db/schema/favorites.ts";

/** As the specification calls them. */
export type Favorite = { id: string; isFavorited: boolean; mediaId: string; userId: string };

/**
 * Sets the flag, in one statement. Without a value an absent record becomes true and an existing one keeps its value.
 * The caller has asked accessTo(). Returns the row as it stands afterwards, null when there is no
 * such media.
 */
export async function saveFavorite(
  userId: string,
  mediaId: string,
  isFavorited: boolean | null,
): Promise<Favorite | null> {
  const [saved] = await db.execute<Favorite>(sql`
    INSERT INTO favorites AS f (media_id, user_id, is_favorited)
    SELECT id, ${userId}, COALESCE(${isFavorited}::boolean, true) FROM media WHERE id = ${mediaId}
    ON CONFLICT (user_id, media_id) DO UPDATE SET
      is_favorited = COALESCE(${isFavorited}::boolean, f.is_favorited),
      favorited_at = CASE WHEN ${isFavorited}::boolean AND NOT f.is_favorited THEN now() ELSE f.favorited_at END
    RETURNING f.id, f.is_favorited AS "isFavorited", f.media_id AS "mediaId", f.user_id AS "userId"
  `);
  return saved ?? null;
}

/** Whether this person has marked it. */
export async function isFavorite(userId: string, mediaId: string): Promise<boolean> {
  const [row] = await db
    .select({ isFavorited: favorites.isFavorited })
    .from(favorites)
    .where(and(eq(favorites.userId, userId), eq(favorites.mediaId, mediaId)));
  return row?.isFavorited ?? false;
}
