import { ACCESSES, type Access } from "#app/domain/access/access.ts";
import { MEDIA_TYPES, type MediaType } from "#app/paths.ts";
import { oneOf, parseSearch, slugIn } from "../../lists/list-filters.ts";
import { PROBLEMS, type Problem } from "../problems/problems.ts";

export const STUDIO_STATES = [
  "draft",
  "scheduled",
  "published",
  /** Was published until its last day. */
  "expired",
  "hidden",
  "takenDown",
  "deleted",
] as const;
export type StudioState = (typeof STUDIO_STATES)[number];
export const STUDIO_SORTS = ["changed", "publishAt", "title"] as const;
export type StudioSort = (typeof STUDIO_SORTS)[number];
export const DIRECTIONS = ["asc", "desc"] as const;
export type Direction = (typeof DIRECTIONS)[number];

export interface StudioFilters {
  q: string | null;
  state: StudioState | null;
  type: MediaType | null;
  /** Slugs. A form sends names, which resolveNames() reads. */
  creator: string | null;
  tag: string | null;
  access: Access | null;
  problem: Problem | null;
  sort: StudioSort;
  direction: Direction;
}

/** Each sort begins where most people look first. */
const FIRST_DIRECTION: Record<StudioSort, Direction> = { changed: "desc", publishAt: "desc", title: "asc" };

export function parseStudioFilters(query: URLSearchParams): StudioFilters {
  const sort = oneOf(STUDIO_SORTS, query.get("sort")) ?? "changed";
  return {
    q: parseSearch(query.get("q")),
    state: oneOf(STUDIO_STATES, query.get("state")),
    type: oneOf(MEDIA_TYPES, query.get("type")),
    creator: slugIn(query, "creator"),
    tag: slugIn(query, "tag"),
    access: oneOf(ACCESSES, query.get("access")),
    problem: oneOf(PROBLEMS, query.get("problem")),
    sort,
    direction: oneOf(DIRECTIONS, query.get("direction")) ?? FIRST_DIRECTION[sort],
  };
}

/** The query that parseStudioFilters() reads, without the values that it falls back to. */
export function studioQuery({ sort, direction, ...rest }: StudioFilters): Record<string, string | undefined> {
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value ?? undefined])),
    sort: sort === "changed" ? undefined : sort,
    direction: direction === FIRST_DIRECTION[sort] ? undefined : direction,
  };
}

export function isNarrowed({ sort: _, direction: __, ...filters }: StudioFilters): boolean {
  return Object.values(filters).some((value) => value !== null);
}
