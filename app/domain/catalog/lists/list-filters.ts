import { ACCESSES, type Access } from "#app/domain/access/access.ts";
import { cutText, hasVisibleCharacter, trimInvisible } from "#app/texts.ts";

export const SORTS = ["newest", "oldest", "most-watched", "longest", "title"] as const;
export const LENGTHS = ["short", "medium", "long"] as const;
/** Where "medium" and "long" begin: in seconds for a video, in photos for a set. */
export const LENGTH_BANDS = { video: [300, 1200], photoSet: [12, 40] } as const;
export const SEEN = ["seen", "unseen"] as const;
export type Sort = (typeof SORTS)[number];
const USUAL_SORT: Sort = "newest";
export type Length = (typeof LENGTHS)[number];

export const SEARCH_LENGTH_LIMIT = 64;
export const SLUG_LENGTH_LIMIT = 120;
/** Soft hyphens, marks of direction and the like. Joiners become spaces, because the database separates words at them. */
const INSIDE_WORDS = /(?!\p{Join_C})\p{Cf}+/gu;

export interface ListFilters {
  q: string | null;
  creator: string | null;
  tag: string | null;
  length: Length | null;
  access: Access | null;
  seen: (typeof SEEN)[number] | null;
  sort: Sort;
  exact: boolean;
}

/** Unknown values count as absent: a link from another site must not end in an error. */
export function parseFilters(query: URLSearchParams): ListFilters {
  return {
    q: parseSearch(query.get("q")),
    creator: slugIn(query, "creator"),
    tag: slugIn(query, "tag"),
    length: oneOf(LENGTHS, query.get("length")),
    access: oneOf(ACCESSES, query.get("access")),
    seen: oneOf(SEEN, query.get("seen")),
    sort: oneOf(SORTS, query.get("sort")) ?? USUAL_SORT,
    exact: query.get("exact") === "1",
  };
}

export function slugIn(query: URLSearchParams, name: string): string | null {
  return query.get(name)?.slice(0, SLUG_LENGTH_LIMIT).replaceAll("\0", "") || null;
}

/** What was typed, when the search in the address is its correction. */
export function typedSearch(query: URLSearchParams): string | null {
  return parseSearch(query.get("typed"));
}

export function filterQuery({ sort, exact, ...rest }: ListFilters): Record<string, string | undefined> {
  const chosen = Object.entries(rest).map(([name, value]) => [name, value ?? undefined]);
  return {
    ...Object.fromEntries(chosen),
    sort: sort === USUAL_SORT ? undefined : sort,
    exact: exact ? "1" : undefined,
  };
}

export function isNarrowed({ sort: _, exact: __, ...filters }: ListFilters): boolean {
  return Object.values(filters).some((value) => value !== null);
}

/** Choices besides the search. */
export function countChosen({ q: _, exact: __, sort, ...filters }: ListFilters): number {
  return Object.values(filters).filter((value) => value !== null).length + (sort === USUAL_SORT ? 0 : 1);
}

export function parseSearch(text: string | null): string | null {
  const joined = text?.slice(0, 4 * SEARCH_LENGTH_LIMIT).replace(INSIDE_WORDS, "");
  const clean = trimInvisible(joined?.replace(/[\p{C}\s]+/gu, " ") ?? "");
  const short = cutText(clean, SEARCH_LENGTH_LIMIT).trim();
  return hasVisibleCharacter(short) ? short : null;
}

export function oneOf<Value extends string>(values: readonly Value[], value: string | null): Value | null {
  return values.find((known) => known === value) ?? null;
}

export const CREATOR_SORTS = ["name", "newest", "most"] as const;
export type CreatorSort = (typeof CREATOR_SORTS)[number];

export function parseCreatorSort(text: string | null): CreatorSort {
  return oneOf(CREATOR_SORTS, text) ?? "name";
}
