import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { ACCESSES } from "#app/domain/access/access.ts";
import { listDb, uuids } from "#db/client.server.ts";
import { flag, number, readOne, readRow, readRows, text, timestamp } from "#db/rows.ts";
import { mediaStatus, mediaType } from "#db/schema/catalog.ts";
import { hasName } from "../../lists/list-media.server.ts";
import {
  beyond,
  isDate,
  type PageRequest,
  type Position,
  pageOf,
  positionOf,
  type SortKey,
} from "../../lists/paging.server.ts";
import { matchesSearch } from "../../lists/search.server.ts";
import { creatorNames } from "../../media/names.server.ts";
import { coverView, type PictureView } from "../../media/picture-view.ts";
import { coverVersion } from "../../media/served-file.server.ts";
import { isExpired } from "../../media/visibility.server.ts";
import { isListedUnder, itemProblems, Problems } from "../problems/problems.server.ts";
import { plannedAt } from "../releases/due-releases.server.ts";
import { showsFiles } from "../states/media-states.ts";
import type { StudioFilters, StudioSort, StudioState } from "./studio-filters.ts";

const STUDIO_PAGE_SIZE = 50;
const WITHOUT_PLAN = "-infinity";

/** Each has an index on exactly this expression. */
const COLUMNS: Record<StudioSort, Omit<SortKey, "descending">> = {
  changed: { column: sql`m.updated_at`, cast: sql`timestamptz`, isValue: isDate },
  publishAt: {
    column: plannedAt,
    cast: sql`timestamptz`,
    isValue: (text) => text === WITHOUT_PLAN || isDate(text),
  },
  title: { column: sql`m.sort_title`, cast: sql`text`, isValue: () => true },
};

const ItemRow = z.object({
  id: text,
  type: z.enum(mediaType.enumValues),
  slug: text,
  title: text,
  state: z.enum(mediaStatus.enumValues),
  /** Published until its last day. */
  isExpired: flag,
  access: z.enum(ACCESSES),
  allowDownload: flag,
  publishAt: timestamp.nullable(),
  expireAt: timestamp.nullable(),
  updatedAt: timestamp,
  durationSeconds: number.nullable(),
  photoCount: number.nullable(),
  creators: z.array(text),
  problems: Problems,
  color: text,
  coverVersion: number.nullable(),
});
/** `cover`: null without one. */
export type StudioItem = Omit<z.infer<typeof ItemRow>, "color" | "coverVersion"> & {
  cover: PictureView | null;
};

export interface StudioPage {
  items: StudioItem[];
  next: string | null;
  previous: string | null;
}

/** Whether a subscription gives access to anything that the site has or prepares. */
export function hasPaidItems(): Promise<boolean> {
  return readOne(listDb, flag)`SELECT EXISTS (
    SELECT FROM media WHERE access = 'subscriber' AND status <> 'deleted')`;
}

export function countDrafts(): Promise<number> {
  return readOne(listDb, number)`SELECT count(*)::int FROM media WHERE status = 'draft'`;
}

/** A broken cursor counts as the first page. Deleted items are listed only by a filter for their state. */
export async function listStudioMedia(
  filters: StudioFilters,
  request: PageRequest = { after: null, before: null },
): Promise<StudioPage> {
  const position = positionOf(sortKeyOf(filters), request, STUDIO_PAGE_SIZE);
  const { rows, ...neighbors } = pageOf(await findPositions(filters, position), position);
  return { items: await readItems(rows.map(({ id }) => id)), ...neighbors };
}

export async function listMatching(filters: StudioFilters, limit: number): Promise<string[]> {
  const everything = positionOf(sortKeyOf(filters), { after: null, before: null }, limit - 1);
  return (await findPositions(filters, everything)).map(({ id }) => id);
}

function sortKeyOf({ sort, direction }: Pick<StudioFilters, "sort" | "direction">): SortKey {
  return { ...COLUMNS[sort], descending: direction === "desc" };
}

const Found = z.object({ id: text, sort_value: text });
async function findPositions(filters: StudioFilters, position: Position): Promise<z.infer<typeof Found>[]> {
  const conditions = await conditionsOf(filters);
  if (conditions === null) return [];
  return readRows(listDb, Found)`
    SELECT m.id, ${position.key.column}::text AS sort_value FROM media m
    WHERE ${sql.join(conditions, sql` AND `)} ${beyond(position, sql`m.id`)}`;
}

/** On a row `m` of media. Null when the creator or tag does not exist. */
async function conditionsOf(filters: StudioFilters): Promise<SQL[] | null> {
  const { q, state, type, access, problem } = filters;
  const [creator, tag] = [await idOf(sql`creators`, filters.creator), await idOf(sql`tags`, filters.tag)];
  if (creator === undefined || tag === undefined) return null;
  return [
    state ? isInState(state) : sql`m.status <> 'deleted'`,
    ...(type ? [sql`m.type = ${type}`] : []),
    ...(access ? [sql`m.access = ${access}`] : []),
    ...(creator ? [hasName("creator", sql`${creator}::uuid`)] : []),
    ...(tag ? [hasName("tag", sql`${tag}::uuid`)] : []),
    ...(problem ? [isListedUnder(problem)] : []),
    ...(q ? [await matchesSearch(q)] : []),
  ];
}

function isInState(state: StudioState): SQL {
  if (state === "expired") return sql`has_expired(m)`;
  return state === "published" ? sql`m.status = 'published' AND NOT ${isExpired}` : sql`m.status = ${state}`;
}

/** Undefined when nothing has the slug. A statement of its own, so that the database knows the id when it plans the list. */
async function idOf(table: SQL, slug: string | null): Promise<string | null | undefined> {
  if (slug === null) return null;
  return (await readRow(listDb, text)`SELECT id FROM ${table} WHERE slug = ${slug}`) ?? undefined;
}

async function readItems(ids: string[]): Promise<StudioItem[]> {
  if (ids.length === 0) return [];
  const rows = await readRows(listDb, ItemRow)`
    SELECT m.id, m.type, m.slug, m.title, m.status AS state, m.access, m.allow_download AS "allowDownload", m.color,
      ${coverVersion} AS "coverVersion", ${isExpired} AS "isExpired",
      m.publish_at AS "publishAt", m.expire_at AS "expireAt", m.updated_at AS "updatedAt",
      m.duration_seconds AS "durationSeconds", m.photo_count AS "photoCount",
      ${creatorNames} AS creators,
      ${itemProblems} AS problems
    FROM unnest(${uuids(ids)}) WITH ORDINALITY wanted(id, place) JOIN media m ON m.id = wanted.id
    ORDER BY wanted.place`;
  return rows.map(({ color, coverVersion, ...row }) => ({
    ...row,
    cover:
      showsFiles(row) && !row.problems.includes("noCover")
        ? coverView({ id: row.id, type: row.type, color, coverVersion })
        : null,
  }));
}
