import { type SQL, sql } from "drizzle-orm";
import { listDb } from "#db/client.server.ts";
import {
  beyond,
  isDate,
  isWhole,
  type PageRequest,
  pageOf,
  positionOf,
  type SortKey,
} from "../../lists/paging.server.ts";
import type { NameKind } from "../../media/former-slugs.server.ts";
import { type PictureView, portraitView } from "../../media/picture-view.ts";
import { portraitKey } from "../../media/served-file.server.ts";
import { published } from "../../media/visibility.server.ts";
import { countedWorks } from "./edit-creators.server.ts";
import type { NameQuery } from "./name-query.ts";

const PAGE_SIZE = 50;

interface StudioName {
  id: string;
  name: string;
  slug: string;
  works: number;
}

interface StudioCreator extends StudioName {
  aliases: string[];
  isPublic: boolean;
  portrait: PictureView | null;
}

interface NamePage<Name> {
  names: Name[];
  next: string | null;
  previous: string | null;
}

/** Counted for the rows of the page, or for all of them where they decide the order. */
const works = (kind: NameKind) => countedWorks(kind, sql`n.id`);
const byName: SortKey = {
  column: sql`lower(n.name)`,
  cast: sql`text`,
  descending: false,
  isValue: () => true,
};
const byWorks = (kind: NameKind): SortKey => ({
  column: works(kind),
  cast: sql`bigint`,
  descending: true,
  isValue: isWhole,
});
const CREATOR_ORDERS: Record<NameQuery["sort"], SortKey> = {
  name: byName,
  works: byWorks("creator"),
  newest: { column: sql`n.created_at`, cast: sql`timestamptz`, descending: true, isValue: isDate },
};
const TAG_ORDERS: Record<"name" | "works", SortKey> = { name: byName, works: byWorks("tag") };

interface CreatorRow extends StudioName, Record<string, unknown> {
  aliases: string[];
  color: string;
  portrait_alt: string;
  portrait_key: string | null;
  isPublic: boolean;
  sort_value: string;
}

export async function listStudioCreators(
  { q, sort }: NameQuery,
  request: PageRequest,
): Promise<NamePage<StudioCreator>> {
  const position = positionOf(CREATOR_ORDERS[sort], request, PAGE_SIZE);
  const found = await listDb.execute<CreatorRow>(sql`
    SELECT n.id, n.name, n.slug, to_jsonb(n.aliases) AS aliases, n.color, '' AS portrait_alt,
      ${portraitKey(sql`n`)} AS portrait_key,
      ${published(sql`n`)} AS "isPublic",
      ${works("creator")} AS works, ${position.key.column}::text AS sort_value
    FROM creators n WHERE ${matches(sql`n.name || ' ' || array_to_string(n.aliases, ' ')`, q)}
      ${beyond(position, sql`n.id`)}`);
  const { rows, ...neighbors } = pageOf(found, position);
  const names = rows.map(({ id, name, slug, aliases, isPublic, works: counted, ...row }) => ({
    ...{ id, name, slug, aliases, isPublic, works: counted },
    // The name is beside it.
    portrait: portraitView({ id, ...row }),
  }));
  return { names, ...neighbors };
}

export async function listStudioTags(
  { q, sort }: NameQuery,
  request: PageRequest,
): Promise<NamePage<StudioName>> {
  const position = positionOf(TAG_ORDERS[sort === "newest" ? "name" : sort], request, PAGE_SIZE);
  const found = await listDb.execute<StudioName & { sort_value: string } & Record<string, unknown>>(sql`
    SELECT n.id, n.name, n.slug, ${works("tag")} AS works, ${position.key.column}::text AS sort_value
    FROM tags n WHERE ${matches(sql`n.name`, q)} ${beyond(position, sql`n.id`)}`);
  const { rows, ...neighbors } = pageOf(found, position);
  return {
    names: rows.map(({ id, name, slug, works: counted }) => ({ id, name, slug, works: counted })),
    ...neighbors,
  };
}

function matches(text: SQL, q: string | null): SQL {
  return q === null ? sql`true` : sql`strpos(lower(f_unaccent(${text})), lower(f_unaccent(${q}))) > 0`;
}
