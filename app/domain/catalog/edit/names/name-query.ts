import { oneOf, parseSearch } from "../../lists/list-filters.ts";

const NAME_SORTS = ["name", "newest", "works"] as const;

export interface NameQuery {
  q: string | null;
  sort: (typeof NAME_SORTS)[number];
}

export function parseNameQuery(query: URLSearchParams): NameQuery {
  const sort = oneOf(NAME_SORTS, query.get("sort")) ?? "name";
  return { q: parseSearch(query.get("q")), sort };
}

/** The query that parseNameQuery() reads, without the values that it falls back to. */
export function nameQuery({ q, sort }: NameQuery): Record<string, string | undefined> {
  return { q: q ?? undefined, sort: sort === "name" ? undefined : sort };
}
