import { type Access, type AccessViewer, accessTo } from "#app/domain/access/access.ts";
import { COVER_WIDTHS, coverHeight, fileStems, IMAGE_FORMATS } from "#app/domain/media/renditions.ts";
import { type MediaType, paths } from "#app/paths.ts";
import type { PictureView } from "../media/picture-view.ts";
import type { CreatorCardView, MediaCardView } from "./card.ts";

export type CardRow = {
  id: string;
  type: MediaType;
  slug: string;
  title: string;
  access: Access;
  duration_seconds: number | null;
  photo_count: number | null;
  color: string;
  creators: { slug: string; name: string }[];
  is_live: boolean;
  is_withdrawn: boolean;
  is_new: boolean;
  /** Seconds, or number of the last photo; null when never opened. */
  progress: number | null;
  is_completed: boolean;
  is_favorited: boolean | null;
};

export type CreatorCardRow = {
  id: string;
  slug: string;
  name: string;
  has_portrait: boolean;
  portrait_alt: string;
  color: string;
  video_count: number;
  photo_set_count: number;
};

export function mediaCardView(viewer: AccessViewer, row: CardRow): MediaCardView {
  const media = {
    access: row.access,
    allowDownload: false,
    isLive: row.is_live,
    isWithdrawn: row.is_withdrawn,
  };
  return {
    id: row.id,
    type: row.type,
    slug: row.slug,
    title: row.title,
    creators: row.creators,
    access: row.access,
    isLocked: !accessTo(viewer, media, "view").allowed,
    durationSeconds: row.duration_seconds,
    photoCount: row.photo_count,
    // The title is beside the cover, so screen readers need no text for it.
    cover: coverView({ id: row.id, type: row.type, color: row.color, alt: "" }),
    isNew: row.is_new,
    progress: seenPart(row),
    isCompleted: row.is_completed,
    isFavorited: row.is_favorited,
  };
}

export function creatorCardView(row: CreatorCardRow): CreatorCardView {
  return {
    slug: row.slug,
    name: row.name,
    videoCount: row.video_count,
    photoSetCount: row.photo_set_count,
    portrait: portraitView(row),
  };
}

interface CoverFacts {
  id: string;
  type: MediaType;
  color: string;
  alt: string;
}

export function coverView({ id, type, color, alt }: CoverFacts): PictureView {
  const [width] = COVER_WIDTHS;
  const url = paths.mediaFile(id, fileStems.cover);
  return {
    alt,
    color,
    width,
    height: coverHeight(type, width),
    url,
    widths: COVER_WIDTHS,
    formats: IMAGE_FORMATS,
  };
}

export function portraitView(row: CreatorCardRow): PictureView | null {
  if (!row.has_portrait) return null;
  const [width] = COVER_WIDTHS;
  const url = paths.creatorFile(row.id, fileStems.portrait);
  return {
    alt: row.portrait_alt,
    color: row.color,
    width,
    height: coverHeight("portrait", width),
    url,
    widths: COVER_WIDTHS,
    formats: IMAGE_FORMATS,
  };
}

function seenPart(row: CardRow): number | null {
  const length = row.duration_seconds ?? row.photo_count;
  if (row.progress === null || !length) return null;
  return Math.min(1, Math.max(0, row.progress / length));
}
