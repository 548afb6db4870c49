import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { AccessViewer } from "#app/domain/access/access.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import { db, listDb, searchDb } from "#db/client.server.ts";
import { readRow, readRows, text } from "#db/rows.ts";
import type { CreatorLink } from "#db/schema/catalog.ts";
import { CreatorCardRow, type CreatorCardView, creatorCardView } from "../cards/cards.server.ts";
import type { CreatorSort } from "../lists/list-filters.ts";
import {
  beyond,
  isDate,
  isWhole,
  type PageRequest,
  pageOf,
  positionOf,
  type SortKey,
} from "../lists/paging.server.ts";
import { createSignedOutCache } from "../media/cache.server.ts";
import { movedSlug } from "../media/former-slugs.server.ts";
import { type PictureView, portraitView } from "../media/picture-view.ts";
import { portraitKey } from "../media/served-file.server.ts";
import { hasPublished, published } from "../media/visibility.server.ts";

const NEVER = "-infinity";
/** Each has an index on exactly this expression. */
const ORDERS: Record<CreatorSort, SortKey> = {
  name: { column: sql`lower(c.name)`, cast: sql`text`, descending: false, isValue: () => true },
  newest: {
    column: sql`COALESCE(c.newest_at, '-infinity'::timestamptz)`,
    cast: sql`timestamptz`,
    descending: true,
    isValue: (text: string) => text === NEVER || isDate(text),
  },
  most: {
    column: sql`(c.video_count + c.photo_set_count)`,
    cast: sql`bigint`,
    descending: true,
    isValue: isWhole,
  },
};

interface CreatorPage {
  creators: CreatorCardView[];
  next: string | null;
  previous: string | null;
}

interface CreatorQuery extends PageRequest {
  q: string | null;
  sort: CreatorSort;
}

type CreatorViewer = AccessViewer & { user: object | null };

const sharedPages = createSignedOutCache<CreatorPage>();
const sharedProfiles = createSignedOutCache<{ found: CreatorProfile | null }>();

const cardColumns = sql`c.id, c.slug, c.name, c.portrait_alt, c.color, c.video_count, c.photo_set_count,
  ${portraitKey(sql`c`)} AS portrait_key`;

export function newestCreators(limit: number): SQL {
  return sql`SELECT ${cardColumns} FROM creators c WHERE ${hasPublished}
    ORDER BY ${ORDERS.newest.column} DESC, c.id DESC LIMIT ${limit}`;
}

export function listCreators(viewer: CreatorViewer, query: CreatorQuery): Promise<CreatorPage> {
  return sharedPages(viewer, [query], () => readCreators(viewer, query));
}

const ListedCreator = CreatorCardRow.extend({ sort_value: text });

async function readCreators(viewer: CreatorViewer, { q, sort, ...page }: CreatorQuery): Promise<CreatorPage> {
  const position = positionOf(ORDERS[sort], page);
  const database = q ? searchDb : listDb;
  const found = await readRows(database, ListedCreator)`
    SELECT ${cardColumns}, ${position.key.column}::text AS sort_value
    FROM creators c WHERE ${mayBeSeenBy(viewer)} AND ${matches(q)} ${beyond(position, sql`c.id`)}
  `;
  const { rows, ...neighbors } = pageOf(found, position);
  return { creators: rows.map(creatorCardView), ...neighbors };
}

interface CreatorProfile {
  id: string;
  slug: string;
  name: string;
  aliases: string[];
  bio: string;
  links: CreatorLink[];
  portrait: PictureView | null;
  videoCount: number;
  photoSetCount: number;
}

/** Only editors find a creator with nothing published. */
export async function findCreator(viewer: CreatorViewer, slug: string): Promise<CreatorProfile | null> {
  const read = async () => ({ found: await readCreator(viewer, slug) });
  return (await sharedProfiles(viewer, [slug], read)).found;
}

const ProfileRow = CreatorCardRow.extend({
  aliases: z.array(text),
  bio: text,
  links: z.array(z.object({ label: text, url: text })),
});

async function readCreator(viewer: CreatorViewer, slug: string): Promise<CreatorProfile | null> {
  const row = await readRow(db, ProfileRow)`
    SELECT ${cardColumns}, to_jsonb(c.aliases) AS aliases, c.bio, c.links
    FROM creators c WHERE c.slug = ${slug} AND ${mayBeSeenBy(viewer)}
  `;
  if (!row) return null;
  const { name, aliases, bio, links } = row;
  return {
    id: row.id,
    slug: row.slug,
    name,
    aliases,
    bio,
    links: links.filter(({ url }) => /^https?:\/\//i.test(url)),
    portrait: portraitView(row),
    videoCount: row.video_count,
    photoSetCount: row.photo_set_count,
  };
}

export function findMovedCreator(viewer: CreatorViewer, slug: string): Promise<string | null> {
  return readRow(db, text.nullable())`SELECT ${movedSlug("creator", slug, mayBeSeenBy(viewer, sql`n`))}`;
}

function mayBeSeenBy(viewer: CreatorViewer, row = sql`c`): SQL {
  return hasRight(viewer, "media.edit") ? sql`true` : published(row);
}

function matches(q: string | null) {
  if (!q) return sql`true`;
  const pattern = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  const names = sql`lower(f_unaccent(c.name || ' ' || array_to_string(c.aliases, ' ')))`;
  return sql`(${names} LIKE lower(f_unaccent(${pattern})) OR word_similarity(lower(f_unaccent(${q})), ${names}) > 0.5)`;
}
