import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { PAGE_SIZE } from "#app/domain/catalog/lists/paging.server.ts";
import { number } from "#db/rows.ts";

export interface FavoriteCounts {
  all: number;
  video: number;
  photoSet: number;
  photo: number;
}

export const CountedRow = z.object({
  all_count: number,
  video_count: number,
  favorite_photos: number,
  page: number,
  pages: number,
});
/** The one row of a page without favorites. */
export const EmptyPageRow = CountedRow.extend({ id: z.null() });

export function countsIn({
  all_count: all,
  video_count: video,
  favorite_photos: photo,
  page,
  pages,
}: z.infer<typeof CountedRow>) {
  return { counts: { all, video, photoSet: all - video, photo }, page, pages };
}

export function photoCount(userId: string): SQL {
  return sql`(SELECT count(*)::int FROM photo_favorites WHERE user_id = ${userId})`;
}

/** The nearest existing page, and how many there are. One person's rows are few enough to count. */
export function pageCount(page: number): SQL {
  const pages = sql`greatest(1, ceil(count(*) / ${PAGE_SIZE}::numeric)::int)`;
  return sql`least(${page}::int, ${pages}) AS page, ${pages} AS pages`;
}

export const pageOfListed = sql`listed.position > (shown.page - 1) * ${PAGE_SIZE}
  AND listed.position <= shown.page * ${PAGE_SIZE}`;
