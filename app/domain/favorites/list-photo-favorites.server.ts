import { z } from "zod";
import { type AccessViewer, accessTo } from "#app/domain/access/access.ts";
import { photoColumn, photoView, StoredPhoto } from "#app/domain/catalog/media/photos.server.ts";
import { lockedPicture, type PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { coverVersion } from "#app/domain/catalog/media/served-file.server.ts";
import { AccessColumns, accessColumns } from "#app/domain/catalog/media/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { number, readRows, text } from "#db/rows.ts";
import {
  CountedRow,
  countsIn,
  EmptyPageRow,
  type FavoriteCounts,
  pageCount,
  pageOfListed,
  photoCount,
} from "./favorite-pages.server.ts";
import type { PhotoOfSet } from "./photo-favorites.server.ts";

interface ShownPhoto {
  slug: string;
  title: string;
  position: number;
  count: number;
  isLocked: boolean;
  picture: PictureView;
}

/** `shown` is null for a photo that nobody sees any more: the rest is what the form needs that removes it. */
export type FavoritePhoto = PhotoOfSet & { shown: ShownPhoto | null };

export interface PhotoFavoritesPage {
  photos: FavoritePhoto[];
  counts: FavoriteCounts;
  page: number;
  pages: number;
}

const PhotoRow = CountedRow.extend({
  ...AccessColumns.shape,
  id: text,
  slug: text,
  title: text,
  color: text,
  cover_version: number.nullable(),
  set_count: number,
  photo: StoredPhoto.extend({ position: number.nullable() }),
});
const Row = z.union([PhotoRow, EmptyPageRow]);

export async function listPhotoFavorites(
  viewer: AccessViewer & { user: { id: string } },
  page: number,
): Promise<PhotoFavoritesPage> {
  const userId = viewer.user.id;
  const [first, ...others] = await readRows(db, Row)`
    WITH counted AS (
      SELECT count(*)::int AS all_count, count(*) FILTER (WHERE m.type = 'video')::int AS video_count,
        ${photoCount(userId)} AS favorite_photos
      FROM favorites own JOIN media m ON m.id = own.media_id WHERE own.user_id = ${userId} AND own.is_favorited
    ), listed AS (
      SELECT own.photo_id, row_number() OVER (ORDER BY own.favorited_at DESC NULLS LAST, own.photo_id) AS position
      FROM photo_favorites own WHERE own.user_id = ${userId}
    ), shown AS (SELECT ${pageCount(page)} FROM listed)
    SELECT counted.*, shown.*, m.id, m.slug, m.title, m.color, ${coverVersion} AS cover_version,
      COALESCE(m.photo_count, 0) AS set_count, ${accessColumns}, ${photoColumn(userId)} AS photo
    FROM counted CROSS JOIN shown
    LEFT JOIN listed ON ${pageOfListed}
    LEFT JOIN photos p ON p.id = listed.photo_id
    LEFT JOIN media m ON m.id = p.media_id
    ORDER BY listed.position
  `;
  if (!first) throw new Error("Counts are one row at least");
  const photos = [first, ...others].flatMap((row) => {
    if (row.id === null) return [];
    return [{ mediaId: row.id, photo: row.photo.number, shown: shownPhoto(viewer, row) }];
  });
  return { photos, ...countsIn(first) };
}

function shownPhoto(viewer: AccessViewer, row: z.infer<typeof PhotoRow>): ShownPhoto | null {
  const { id, slug, title, color, cover_version, set_count: count, photo } = row;
  const { position } = photo;
  if (!row.isLive || position === null) return null;
  const { picture } = photoView(id, { ...photo, position }, accessTo(viewer, row, "view").allowed);
  const blur = lockedPicture({ id, type: "photoSet", color, coverVersion: cover_version });
  return { slug, title, position, count, isLocked: picture === null, picture: picture ?? blur };
}
