import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { listDb } from "#db/client.server.ts";
import { flag, number, readRows, text } from "#db/rows.ts";
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
import { containsText } from "../../media/names.server.ts";
import { type PictureView, portraitView } from "../../media/picture-view.ts";
import { portraitKey } from "../../media/served-file.server.ts";
import { published } from "../../media/visibility.server.ts";
import { countedWorks } from "./edit-creators.server.ts";
import type { NameQuery } from "./name-query.ts";

const PAGE_SIZE = 50;

const StudioName = z.object({ id: text, name: text, slug: text, works: number });
type StudioName = z.infer<typeof StudioName>;

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

/** Counted only for the rows of the page, unless they decide the order. */
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

const TagRow = StudioName.extend({ sort_value: text });
const CreatorRow = TagRow.extend({
  aliases: z.array(text),
  color: text,
  portrait_alt: text,
  portrait_key: text.nullable(),
  isPublic: flag,
});

export async function listStudioCreators(
  { q, sort }: NameQuery,
  request: PageRequest,
): Promise<NamePage<StudioCreator>> {
  const position = positionOf(CREATOR_ORDERS[sort], request, PAGE_SIZE);
  const found = await readRows(listDb, CreatorRow)`
    SELECT n.id, n.name, n.slug, to_jsonb(n.aliases) AS aliases, n.color, '' AS portrait_alt,
      ${portraitKey(sql`n`)} AS portrait_key,
      ${published(sql`n`)} AS "isPublic",
      ${works("creator")} AS works, ${position.key.column}::text AS sort_value
    FROM creators n WHERE ${matches(sql`n.name || ' ' || array_to_string(n.aliases, ' ')`, q)}
      ${beyond(position, sql`n.id`)}`;
  const { rows, ...neighbors } = pageOf(found, position);
  const names = rows.map(({ id, name, slug, aliases, isPublic, works: counted, ...row }) => ({
    ...{ id, name, slug, aliases, isPublic, works: counted },
    // Without an alternative text, because the name is beside it.
    portrait: portraitView({ id, ...row }),
  }));
  return { names, ...neighbors };
}

export async function listStudioTags(
  { q, sort }: NameQuery,
  request: PageRequest,
): Promise<NamePage<StudioName>> {
  const position = positionOf(TAG_ORDERS[sort === "newest" ? "name" : sort], request, PAGE_SIZE);
  const found = await readRows(listDb, TagRow)`
    SELECT n.id, n.name, n.slug, ${works("tag")} AS works, ${position.key.column}::text AS sort_value
    FROM tags n WHERE ${matches(sql`n.name`, q)} ${beyond(position, sql`n.id`)}`;
  const { rows, ...neighbors } = pageOf(found, position);
  return {
    names: rows.map(({ id, name, slug, works: counted }) => ({ id, name, slug, works: counted })),
    ...neighbors,
  };
}

function matches(text: SQL, q: string | null): SQL {
  return q === null ? sql`true` : containsText(text, q);
}
