import type { MediaType } from "#app/paths.ts";
import { parseSearch } from "../catalog/lists/list-filters.ts";

const FAVORITE_SORTS = ["marked", "newest", "title"] as const;
export type FavoriteSort = (typeof FAVORITE_SORTS)[number];

const PAGE_LIMIT = 10_000;

export interface FavoriteFilters {
  type: MediaType | null;
  ofPhotos: boolean;
  q: string | null;
  sort: FavoriteSort;
  page: number;
}

export function parseFavoriteFilters(query: URLSearchParams): FavoriteFilters {
  const type = query.get("type");
  const page = /^\d{1,5}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1;
  return {
    type: type === "video" || type === "photoSet" ? type : null,
    ofPhotos: type === "photo",
    q: parseSearch(query.get("q")),
    sort: FAVORITE_SORTS.find((sort) => sort === query.get("sort")) ?? "marked",
    page: Math.min(Math.max(page, 1), PAGE_LIMIT),
  };
}

export function favoriteQuery({
  type,
  ofPhotos,
  q,
  sort,
  page,
}: FavoriteFilters): Record<string, string | undefined> {
  return {
    type: ofPhotos ? "photo" : (type ?? undefined),
    q: q ?? undefined,
    sort: sort === "marked" ? undefined : sort,
    page: page === 1 ? undefined : String(page),
  };
}
