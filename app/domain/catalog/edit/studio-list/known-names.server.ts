import { type SQL, sql } from "drizzle-orm";
import { normalizeName } from "#app/domain/media/item-texts.ts";
import { db, listDb } from "#db/client.server.ts";
import { movedSlug, type NameKind } from "../../media/former-slugs.server.ts";
import type { StudioFilters } from "./studio-filters.ts";

interface KnownName {
  id: string;
  slug: string;
  name: string;
}

/** A creator or tag as the field of a filter has it: `text` is the name, or the slug where two creators share a name. */
export interface FilterName extends KnownName {
  text: string;
}

export interface TypedName {
  text: string;
  found: FilterName | null;
  similar: FilterName[];
}

/** A browser stays quick with this many suggestions. Other names are typed. */
const NAMES_LIMIT = 1_000;
/** Each page of the list carries them, twice. */
const SUGGESTED_LIMIT = 100;
const SIMILAR_LIMIT = 8;

export async function listKnownNames(): Promise<Record<"creators" | "tags", Omit<KnownName, "id">[]>> {
  const [row] = await db.execute<Record<"creators" | "tags", Omit<KnownName, "id">[]>>(sql`
    SELECT ${namesIn(sql`creators`)} AS creators, ${namesIn(sql`tags`)} AS tags`);
  return row ?? { creators: [], tags: [] };
}

function namesIn(table: SQL): SQL {
  return sql`COALESCE((SELECT jsonb_agg(jsonb_build_object('slug', slug, 'name', name) ORDER BY lower(name)) FROM (
    SELECT slug, name FROM ${table} ORDER BY lower(name) LIMIT ${NAMES_LIMIT}) known), '[]')`;
}

export async function suggestNames(): Promise<{ creators: FilterName[]; tags: FilterName[] }> {
  const [creators, tags] = await Promise.all([
    listNames(CREATORS, sql`true`, SUGGESTED_LIMIT),
    listNames(TAGS, sql`true`, SUGGESTED_LIMIT),
  ]);
  return { creators, tags };
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
  isCalled(name: string): SQL;
}

const CREATORS: Names = {
  table: sql`creators`,
  uses: sql`(n.video_count + n.photo_set_count)`,
  text: sql`CASE WHEN EXISTS (SELECT FROM creators o WHERE lower(o.name) = lower(n.name) AND o.id <> n.id)
    THEN n.slug ELSE n.name END`,
  isCalled: (name) => sql`(lower(n.name) = lower(${name}) OR EXISTS (
    SELECT FROM unnest(n.aliases) alias WHERE lower(alias) = lower(${name})))`,
};
const TAGS: Names = {
  table: sql`tags`,
  uses: sql`(n.video_uses + n.photo_set_uses)`,
  text: sql`n.name`,
  isCalled: (name) => sql`lower(n.name) = lower(${name})`,
};

/** A name, alias or slug, also one from before it was changed; null for no text. */
export async function readTypedName(kind: NameKind, typed: string | null): Promise<TypedName | null> {
  const names = kind === "creator" ? CREATORS : TAGS;
  const text = normalizeName(typed ?? "");
  if (typed === null || text === "") return null;
  const [found = null] = await findNames(
    names,
    sql`n.slug = ${text} OR ${names.isCalled(text)} OR n.slug = ${movedSlug(kind, text)}`,
    sql`n.slug = ${text} DESC, lower(n.name) = lower(${text}) DESC, n.id`,
    1,
  );
  if (found !== null) return { text: found.text, found, similar: [] };
  const hasText = sql`strpos(lower(f_unaccent(n.name)), lower(f_unaccent(${text}))) > 0`;
  return { text, found: null, similar: await listNames(names, hasText, SIMILAR_LIMIT) };
}

function listNames(names: Names, condition: SQL, limit: number): Promise<FilterName[]> {
  return findNames(names, condition, sql`${names.uses} DESC, n.id DESC`, limit);
}

async function findNames(names: Names, condition: SQL, order: SQL, limit: number): Promise<FilterName[]> {
  const rows = await listDb.execute<FilterName & Record<string, unknown>>(sql`
    SELECT n.id, n.slug, n.name, ${names.text} AS text FROM ${names.table} n WHERE ${condition}
    ORDER BY ${order} LIMIT ${limit}`);
  return [...rows];
}

/** A text that names nothing stays as it is, and no item has it. */
function slugOf(typed: TypedName | null): string | null {
  return typed === null ? null : (typed.found?.slug ?? typed.text);
}
