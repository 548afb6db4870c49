import { sql } from "drizzle-orm";
import type { NameKind } from "#app/paths.ts";
import { listDb } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { oneOf, parseSearch } from "../../lists/list-filters.ts";
import {
  beyond,
  isDate,
  isWhole,
  type PageRequest,
  pageOf,
  positionOf,
  type SortKey,
} from "../../lists/paging.server.ts";
import { containsText } from "../../media/names.server.ts";
import { countedWorks, NAMES, NameRow, nameColumns } from "./name-rows.server.ts";

const PAGE_SIZE = 50;
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

interface NamePage {
  names: NameRow[];
  next: string | null;
  previous: string | null;
}

export async function listStudioNames(
  kind: NameKind,
  { q, sort }: NameQuery,
  request: PageRequest,
): Promise<NamePage> {
  const position = positionOf(orderOf(kind, sort), request, PAGE_SIZE);
  const { table, words } = NAMES[kind];
  const found = await readRows(listDb, NameRow.extend({ sort_value: text }))`
    SELECT ${nameColumns(kind)}, ${position.key.column}::text AS sort_value FROM ${table} n
    WHERE ${q === null ? sql`true` : containsText(words, q)} ${beyond(position, sql`n.id`)}`;
  const { rows, ...neighbors } = pageOf(found, position);
  return { names: rows, ...neighbors };
}

/** Tags have no date. */
function orderOf(kind: NameKind, sort: NameQuery["sort"]): SortKey {
  if (sort === "works") {
    return { column: countedWorks(kind), cast: sql`bigint`, descending: true, isValue: isWhole };
  }
  return sort === "newest" && kind === "creator"
    ? { column: sql`n.created_at`, cast: sql`timestamptz`, descending: true, isValue: isDate }
    : { column: sql`lower(n.name)`, cast: sql`text`, descending: false, isValue: () => true };
}
