import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import type { CreatorLink } from "#db/schema/catalog.ts";
import type { CreatorCardView, PictureView } from "./card.ts";
import { type CreatorCardRow, creatorCardView, portraitView } from "./card-view.ts";
import type { CreatorSort } from "./creator-sort.ts";
import { decodeCursor, encodeCursor } from "./cursor.server.ts";

const PAGE_SIZE = 24;
const ORDERS = {
  name: { column: sql`lower(c.name)`, descending: false },
  newest: {
    column: sql`COALESCE(to_char(c.newest_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS'), '')`,
    descending: true,
  },
  most: { column: sql`lpad((c.video_count + c.photo_set_count)::text, 12, '0')`, descending: true },
} as const;

export interface CreatorPage {
  creators: CreatorCardView[];
  next: string | null;
  previous: string | null;
}

interface CreatorQuery {
  q: string | null;
  sort: CreatorSort;
  after: string | null;
  before: string | null;
}

/** One page, one statement; a broken cursor counts as the first page. */
export async function listCreators({ q, sort, ...page }: CreatorQuery): Promise<CreatorPage> {
  const { column, descending } = ORDERS[sort];
  const after = decodeCursor(page.after);
  const before = after ? null : decodeCursor(page.before);
  const cursor = after ?? before;
  const isDown = before ? !descending : descending;
  const direction = isDown ? sql`DESC` : sql`ASC`;
  const place = cursor
    ? sql`AND (${column}, c.id) ${isDown ? sql`<` : sql`>`} (${cursor[0]}, ${cursor[1]}::uuid)`
    : sql``;
  const found = await db.execute<CreatorCardRow & { sort_value: string }>(sql`
    SELECT c.id, c.slug, c.name, c.portrait_alt, c.color, c.video_count, c.photo_set_count,
      ${column} AS sort_value
    FROM creators c WHERE ${matches(q)} ${place}
    ORDER BY ${column} ${direction}, c.id ${direction} LIMIT ${PAGE_SIZE + 1}
  `);
  const hasMore = found.length > PAGE_SIZE;
  const rows = found.slice(0, PAGE_SIZE);
  if (before) rows.reverse();
  const cursorOf = (row: (typeof rows)[number] | undefined) =>
    row ? encodeCursor([row.sort_value, row.id]) : null;
  return {
    creators: rows.map(creatorCardView),
    next: hasMore || before ? cursorOf(rows.at(-1)) : null,
    previous: after || (before && hasMore) ? cursorOf(rows[0]) : null,
  };
}

export interface CreatorProfile {
  slug: string;
  name: string;
  aliases: string[];
  bio: string;
  links: CreatorLink[];
  portrait: PictureView;
  videoCount: number;
  photoSetCount: number;
}

export async function findCreator(slug: string): Promise<CreatorProfile | null> {
  const [row] = await db.execute<
    CreatorCardRow & { aliases: string[]; bio: string; links: CreatorLink[] }
  >(sql`
    SELECT id, slug, name, to_jsonb(aliases) AS aliases, bio, links, portrait_alt, color,
      video_count, photo_set_count
    FROM creators WHERE slug = ${slug}
  `);
  if (!row) return null;
  const { name, aliases, bio, links } = row;
  return {
    slug: row.slug,
    name,
    aliases,
    bio,
    links: links.filter(({ url }) => /^https?:\/\//.test(url)),
    portrait: portraitView({ id: row.id, alt: row.portrait_alt, color: row.color }),
    videoCount: row.video_count,
    photoSetCount: row.photo_set_count,
  };
}

function matches(q: string | null) {
  if (!q) return sql`true`;
  const pattern = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  const names = sql`lower(f_unaccent(c.name || ' ' || array_to_string(c.aliases, ' ')))`;
  return sql`(${names} LIKE lower(f_unaccent(${pattern})) OR word_similarity(lower(f_unaccent(${q})), ${names}) > 0.5)`;
}
