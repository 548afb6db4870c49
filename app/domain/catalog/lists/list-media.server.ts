import { type SQL, sql } from "drizzle-orm";
import type { MediaType, NameKind } from "#app/paths.ts";
import { listDb, searchDb } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { CardRow, cardColumns } from "../cards/cards.server.ts";
import { extent, isCompletedBy } from "../media/media.server.ts";
import { isLive } from "../media/visibility.server.ts";
import { correctSearch } from "./correct-search.server.ts";
import { type FilterOption, listFilterOptions } from "./filter-options.server.ts";
import { LENGTH_BANDS, type Length, type ListFilters } from "./list-filters.ts";
import { ORDERS } from "./list-orders.server.ts";
import { beyond, directionOf, type PageRequest, pageOf, positionOf } from "./paging.server.ts";
import { matchesSearch } from "./search.server.ts";

interface MediaPage {
  rows: CardRow[];
  next: string | null;
  previous: string | null;
  /** The suggested search when nothing has these words; null for an exact search. */
  corrected: string | null;
}

const ListedCard = CardRow.extend({ sort_value: text });
export async function listMedia(
  type: MediaType,
  filters: ListFilters,
  page: PageRequest = { after: null, before: null },
  viewerId: string | null = null,
): Promise<MediaPage> {
  const position = positionOf(ORDERS[filters.sort], page);
  const { column } = position.key;
  const direction = directionOf(position);
  const database = filters.q ? searchDb : listDb;
  const conditions = sql.join(await conditionsOf(type, filters, viewerId), sql` AND `);
  const found = await readRows(database, ListedCard)`
    WITH page AS MATERIALIZED (
      SELECT m.id, ${column} AS sort_value FROM media m WHERE ${conditions} ${beyond(position, sql`m.id`)}
    )
    SELECT ${cardColumns(viewerId)}, page.sort_value::text AS sort_value
    FROM page JOIN media m ON m.id = page.id
    ORDER BY page.sort_value ${direction}, m.id ${direction}
  `;
  const search = filters.exact || found.length > 0 ? null : filters.q;
  return { ...pageOf(found, position), corrected: search && (await correctSearch(search)) };
}

/** On a row `m` of media. */
async function conditionsOf(type: MediaType, filters: ListFilters, viewerId: string | null): Promise<SQL[]> {
  const { q, creator, tag, length, access, seen } = filters;
  const { creators, tags } = await listFilterOptions(type);
  return [
    sql`m.type = ${type} AND ${isLive}`,
    ...(creator ? [hasName("creator", idOf(creator, creators, sql`creators`))] : []),
    ...(tag ? [hasName("tag", idOf(tag, tags, sql`tags`))] : []),
    ...(length ? [hasLength(type, length)] : []),
    ...(access ? [sql`m.access = ${access}`] : []),
    ...(seen && viewerId ? [sql`${seen === "seen" ? sql`` : sql`NOT`} ${isCompletedBy(viewerId)}`] : []),
    ...(q ? [await matchesSearch(q)] : []),
  ];
}

/** A row `m` of media has the creator or tag with this id. */
export function hasName(kind: NameKind, id: SQL): SQL {
  return kind === "creator"
    ? sql`EXISTS (SELECT FROM media_creators l WHERE l.media_id = m.id AND l.creator_id = ${id})`
    : sql`EXISTS (SELECT FROM media_tags l WHERE l.media_id = m.id AND l.tag_id = ${id})`;
}

/** PostgreSQL knows how common a given id is, and plans for it. Names that the filters do not offer are rare. */
function idOf(slug: string, options: FilterOption[], table: SQL): SQL {
  const known = options.find((option) => option.slug === slug);
  return known ? sql`${known.id}::uuid` : sql`(SELECT id FROM ${table} WHERE slug = ${slug})`;
}

function hasLength(type: MediaType, length: Length): SQL {
  const [medium, long] = LENGTH_BANDS[type];
  if (length === "short") return sql`${extent} < ${medium}`;
  if (length === "long") return sql`${extent} >= ${long}`;
  return sql`${extent} >= ${medium} AND ${extent} < ${long}`;
}
