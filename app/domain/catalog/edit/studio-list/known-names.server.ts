import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { normalizeName } from "#app/domain/media/item-texts.ts";
import type { NameKind } from "#app/paths.ts";
import { listDb } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { USES } from "../../media/counts.server.ts";
import { movedSlug } from "../../media/former-slugs.server.ts";
import { containsText, findCreatorByName, findTagByName } from "../../media/names.server.ts";
import type { StudioFilters } from "./studio-filters.ts";

const KnownName = z.object({ slug: text, name: text });
/** A creator or tag as a filter's field shows it: `text` is the name, or the slug when two creators share a name. */
const FilterName = KnownName.extend({ id: text, text });
export type FilterName = z.infer<typeof FilterName>;

export interface TypedName {
  text: string;
  found: FilterName | null;
  similar: FilterName[];
}

/** Every page of the list carries this many twice. */
const SUGGESTED_LIMIT = 100;
const SIMILAR_LIMIT = 8;

export async function suggestNames(): Promise<{ creators: FilterName[]; tags: FilterName[] }> {
  const [creators, tags] = await Promise.all([suggestNamesOf("creator"), suggestNamesOf("tag")]);
  return { creators, tags };
}

export function suggestNamesOf(kind: NameKind): Promise<FilterName[]> {
  return listNames(kind === "creator" ? CREATORS : TAGS, sql`true`, SUGGESTED_LIMIT);
}

/** The filters with the slugs of the creator and the tag, which a form sends by name, alias or slug. */
export async function resolveNames(
  filters: StudioFilters,
): Promise<{ filters: StudioFilters; creator: TypedName | null; tag: TypedName | null }> {
  const [creator, tag] = await Promise.all([
    readTypedName("creator", filters.creator),
    readTypedName("tag", filters.tag),
  ]);
  const slugs = { creator: slugOf(creator), tag: slugOf(tag) };
  return { filters: { ...filters, ...slugs }, creator, tag };
}

/** `uses`: the number of items, for the order. `text`: what the field shows. */
interface Names {
  table: SQL;
  uses: SQL;
  text: SQL;
  find: typeof findCreatorByName;
}

const CREATORS: Names = {
  table: sql`creators`,
  uses: sql`(${USES.creator.video} + ${USES.creator.photoSet})`,
  text: sql`CASE WHEN EXISTS (SELECT FROM creators o WHERE lower(o.name) = lower(n.name) AND o.id <> n.id)
    THEN n.slug ELSE n.name END`,
  find: findCreatorByName,
};
const TAGS: Names = {
  table: sql`tags`,
  uses: sql`(${USES.tag.video} + ${USES.tag.photoSet})`,
  text: sql`n.name`,
  find: findTagByName,
};

/** Reads a name, an alias, or a slug, even a former one. Null for an empty text. */
export async function readTypedName(kind: NameKind, typed: string | null): Promise<TypedName | null> {
  const names = kind === "creator" ? CREATORS : TAGS;
  const text = normalizeName(typed ?? "");
  if (typed === null || text === "") return null;
  const isNamed = sql`n.id = ${(await names.find(listDb, text))?.id ?? null}`;
  const [found = null] = await findNames(
    names,
    sql`n.slug = ${text} OR ${isNamed} OR n.slug = ${movedSlug(kind, text)}`,
    sql`n.slug = ${text} DESC, ${isNamed} DESC`,
    1,
  );
  if (found !== null) return { text: found.text, found, similar: [] };
  const similar = await listNames(names, containsText(sql`n.name`, text), SIMILAR_LIMIT);
  return { text, found: null, similar };
}

function listNames(names: Names, condition: SQL, limit: number): Promise<FilterName[]> {
  return findNames(names, condition, sql`${names.uses} DESC, n.id DESC`, limit);
}

async function findNames(names: Names, condition: SQL, order: SQL, limit: number): Promise<FilterName[]> {
  return readRows(listDb, FilterName)`
    SELECT n.id, n.slug, n.name, ${names.text} AS text FROM ${names.table} n WHERE ${condition}
    ORDER BY ${order} LIMIT ${limit}`;
}

/** A text that names nothing stays as it is, and finds no item. */
function slugOf(typed: TypedName | null): string | null {
  return typed === null ? null : (typed.found?.slug ?? typed.text);
}
