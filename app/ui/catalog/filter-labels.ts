import type { Access } from "#app/domain/access/access.ts";
import type { Length, ListFilters, Sort } from "#app/domain/catalog/lists/list-filters.ts";
import type { MediaType } from "#app/paths.ts";

type Labels<Value extends string> = readonly (readonly [value: Value, label: string])[];

export const ACCESS_LABELS: Labels<Access> = [
  ["free", "Free"],
  ["member", "With an account"],
  ["subscriber", "With a subscription"],
];
export const SEEN_LABELS: Labels<NonNullable<ListFilters["seen"]>> = [
  ["seen", "Seen"],
  ["unseen", "Not seen yet"],
];
export const SORT_LABELS: Record<MediaType, Labels<Sort>> = {
  video: [
    ["newest", "Newest"],
    ["oldest", "Oldest"],
    ["most-watched", "Most watched"],
    ["longest", "Longest"],
    ["title", "Title"],
  ],
  photoSet: [
    ["newest", "Newest"],
    ["oldest", "Oldest"],
    ["most-watched", "Most viewed"],
    ["longest", "Most photos"],
    ["title", "Title"],
  ],
};
export const LENGTH_FIELD: Record<MediaType, { label: string; any: string }> = {
  video: { label: "Length", any: "Any length" },
  photoSet: { label: "Size", any: "Any size" },
};
export const LENGTH_LABELS: Record<MediaType, Labels<Length>> = {
  video: [
    ["short", "Under 5 minutes"],
    ["medium", "5 to 20 minutes"],
    ["long", "20 minutes and more"],
  ],
  photoSet: [
    ["short", "Under 12 photos"],
    ["medium", "12 to 39 photos"],
    ["long", "40 photos and more"],
  ],
};

export function labelOf<Value extends string>(labels: Labels<Value>, value: Value): string {
  return labels.find(([known]) => known === value)?.[1] ?? value;
}
