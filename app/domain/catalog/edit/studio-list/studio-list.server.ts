import { sql } from "drizzle-orm";
import type { Access } from "#app/domain/access/access.ts";
import type { MediaType } from "#app/paths.ts";
import { listDb, uuids } from "#db/client.server.ts";
import { type PageRequest, pageOf, positionOf } from "../../lists/paging.server.ts";
import type { MediaState } from "../../media/media.server.ts";
import { creatorNames } from "../../media/names.server.ts";
import { coverView, type PictureView } from "../../media/picture-view.ts";
import { coverVersion } from "../../media/served-file.server.ts";
import { isExpired } from "../../media/visibility.server.ts";
import { itemProblems } from "../item/problems.server.ts";
import type { Problem } from "../item/problems.ts";
import type { StudioFilters } from "./studio-filters.ts";
import { findPositions, studioSortKey } from "./studio-terms.server.ts";

const STUDIO_PAGE_SIZE = 50;

export interface StudioItem {
  id: string;
  type: MediaType;
  slug: string;
  title: string;
  state: MediaState;
  /** Published until its last day. */
  isExpired: boolean;
  access: Access;
  allowDownload: boolean;
  publishAt: Date | null;
  expireAt: Date | null;
  updatedAt: Date;
  durationSeconds: number | null;
  photoCount: number | null;
  creators: string[];
  problems: Problem[];
  /** Null without a cover. */
  cover: PictureView | null;
}

export interface StudioPage {
  items: StudioItem[];
  next: string | null;
  previous: string | null;
}

/** A broken cursor counts as the first page. Deleted items are listed only by their state. */
export async function listStudioMedia(
  filters: StudioFilters,
  request: PageRequest = { after: null, before: null },
): Promise<StudioPage> {
  const position = positionOf(studioSortKey(filters), request, STUDIO_PAGE_SIZE);
  const { rows, ...neighbors } = pageOf(await findPositions(filters, position), position);
  return { items: await readItems(rows.map(({ id }) => id)), ...neighbors };
}

/** The ids of the items of all pages in their order, up to a limit. */
export async function listMatching(filters: StudioFilters, limit: number): Promise<string[]> {
  const everything = positionOf(studioSortKey(filters), { after: null, before: null }, limit - 1);
  return (await findPositions(filters, everything)).map(({ id }) => id);
}

type Row = Omit<StudioItem, "publishAt" | "expireAt" | "updatedAt" | "cover"> & {
  publishAt: string | null;
  expireAt: string | null;
  updatedAt: string;
  color: string;
  coverVersion: number | null;
} & Record<string, unknown>;

async function readItems(ids: string[]): Promise<StudioItem[]> {
  if (ids.length === 0) return [];
  const rows = await listDb.execute<Row>(sql`
    SELECT m.id, m.type, m.slug, m.title, m.status AS state, m.access, m.allow_download AS "allowDownload", m.color,
      ${coverVersion} AS "coverVersion",
      ${isExpired} AS "isExpired",
      m.publish_at AS "publishAt", m.expire_at AS "expireAt", m.updated_at AS "updatedAt",
      m.duration_seconds AS "durationSeconds", m.photo_count AS "photoCount",
      ${creatorNames} AS creators,
      ${itemProblems} AS problems
    FROM unnest(${uuids(ids)}) WITH ORDINALITY wanted(id, place) JOIN media m ON m.id = wanted.id
    ORDER BY wanted.place`);
  return rows.map(({ color, coverVersion, publishAt, expireAt, updatedAt, ...row }) => ({
    ...row,
    publishAt: publishAt === null ? null : new Date(publishAt),
    expireAt: expireAt === null ? null : new Date(expireAt),
    updatedAt: new Date(updatedAt),
    cover:
      // Nobody gets the files of what was taken down.
      row.state === "deleted" || row.state === "takenDown" || row.problems.includes("noCover")
        ? null
        : coverView({ id: row.id, type: row.type, color, coverVersion }),
  }));
}
