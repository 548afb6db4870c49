import { type SQL, sql } from "drizzle-orm";
import { PAGE_SIZE } from "#app/domain/catalog/lists/paging.server.ts";

export interface FavoriteCounts {
  all: number;
  video: number;
  photoSet: number;
  photo: number;
}

export interface CountedRow extends Record<string, unknown> {
  all_count: number;
  video_count: number;
  favorite_photos: number;
  page: number;
  pages: number;
}

export function countsIn({
  all_count: all,
  video_count: video,
  favorite_photos: photo,
  page,
  pages,
}: CountedRow) {
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
