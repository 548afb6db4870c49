export const CREATOR_SORTS = ["name", "newest", "most"] as const;
export type CreatorSort = (typeof CREATOR_SORTS)[number];

export function parseCreatorSort(text: string | null): CreatorSort {
  return CREATOR_SORTS.find((sort) => sort === text) ?? "name";
}
