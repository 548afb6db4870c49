import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { formatShortDate } from "#app/dates.ts";
import { ACCESSES, type Access, type AccessViewer, accessTo } from "#app/domain/access/access.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { type MediaType, paths } from "#app/paths.ts";
import { flag, number, text, timestamp } from "#db/rows.ts";
import { mediaType } from "#db/schema/catalog.ts";
import { OwnColumns, ownColumns } from "../media/media.server.ts";
import { coverView, type PictureView, portraitView } from "../media/picture-view.ts";
import { coverVersion, previewVersions } from "../media/served-file.server.ts";
import { isLive, isTakenDown } from "../media/visibility.server.ts";

export type CardViewer = AccessViewer & { user: { id: string } | null };

export interface MediaCardView {
  id: string;
  type: MediaType;
  slug: string;
  title: string;
  creators: { slug: string; name: string }[];
  access: Access;
  isLocked: boolean;
  /** "21 Dec 2026" */
  publishedOn: string | null;
  durationSeconds: number | null;
  photoCount: number | null;
  cover: PictureView;
  /** The address of a few silent seconds, which play on hover. */
  preview: string | null;
  isNew: boolean;
  /** 0 to 1; null when never opened or signed out. */
  progress: number | null;
  isCompleted: boolean;
  isFavorited: boolean | null;
}

export interface CreatorCardView {
  slug: string;
  name: string;
  videoCount: number;
  photoSetCount: number;
  portrait: PictureView | null;
}

export const CardRow = OwnColumns.extend({
  id: text,
  type: z.enum(mediaType.enumValues),
  slug: text,
  title: text,
  access: z.enum(ACCESSES),
  publish_at: timestamp.nullable(),
  duration_seconds: number.nullable(),
  photo_count: number.nullable(),
  color: text,
  cover_version: number.nullable(),
  /** Versions by file name. */
  previews: z.record(text, number).nullable(),
  creators: z.array(z.object({ slug: text, name: text })),
  is_live: flag,
  is_taken_down: flag,
});
export type CardRow = z.infer<typeof CardRow>;

export const CreatorCardRow = z.object({
  id: text,
  slug: text,
  name: text,
  portrait_key: text.nullable(),
  portrait_alt: text,
  color: text,
  video_count: number,
  photo_set_count: number,
});

export function mediaCardView(viewer: AccessViewer, row: CardRow): MediaCardView {
  const media = {
    access: row.access,
    allowDownload: false,
    isLive: row.is_live,
    isTakenDown: row.is_taken_down,
  };
  const isLocked = !accessTo(viewer, media, "view").allowed;
  return {
    id: row.id,
    type: row.type,
    slug: row.slug,
    title: row.title,
    creators: row.creators,
    access: row.access,
    isLocked,
    publishedOn: row.publish_at && formatShortDate(row.publish_at),
    durationSeconds: row.duration_seconds,
    photoCount: row.photo_count,
    cover: coverView({ id: row.id, type: row.type, color: row.color, coverVersion: row.cover_version }),
    preview: previewOf(row, isLocked),
    isNew: row.is_new,
    progress: seenPart(row),
    isCompleted: row.is_completed,
    isFavorited: row.is_favorited,
  };
}

export function creatorCardView(row: z.infer<typeof CreatorCardRow>): CreatorCardView {
  return {
    slug: row.slug,
    name: row.name,
    videoCount: row.video_count,
    photoSetCount: row.photo_set_count,
    portrait: portraitView(row),
  };
}

/** Without access to the video, only moments of its trailer. */
function previewOf({ id, previews }: CardRow, isLocked: boolean): string | null {
  const names = isLocked ? [fileNames.trailerHover()] : [fileNames.hover(), fileNames.trailerHover()];
  const name = names.find((each) => previews?.[each] !== undefined);
  return name === undefined ? null : paths.mediaFile(id, name, previews?.[name]);
}

function seenPart(row: CardRow): number | null {
  const length = row.duration_seconds ?? row.photo_count;
  if (row.progress === null || !length) return null;
  return Math.min(1, Math.max(0, row.progress / length));
}

export function cardColumns(viewerId: string | null): SQL {
  return sql`m.id, m.type, m.slug, m.title, m.access, m.publish_at, m.duration_seconds, m.photo_count, m.color,
    ${coverVersion} AS cover_version, ${previewVersions} AS previews, ${isLive} AS is_live, ${isTakenDown} AS is_taken_down,
    COALESCE((
      SELECT jsonb_agg(jsonb_build_object('slug', c.slug, 'name', c.name) ORDER BY mc.position, c.name)
      FROM media_creators mc JOIN creators c ON c.id = mc.creator_id WHERE mc.media_id = m.id
    ), '[]') AS creators, ${ownColumns(viewerId)}`;
}
