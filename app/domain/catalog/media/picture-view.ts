import {
  BLUR_WIDTH,
  COVER_WIDTHS,
  coverHeight,
  creatorFileVersion,
  fileStems,
  IMAGE_FORMATS,
  type ImageFormat,
} from "#app/domain/media/renditions.ts";
import { type MediaType, paths } from "#app/paths.ts";

export interface PictureView {
  alt: string;
  width: number;
  height: number;
  color: string;
  /** "-<width>.<format>" follows. Full URLs would double the size of a list. */
  url: string;
  /** Ends each URL when a name gets other bytes. */
  version?: string;
  widths: readonly number[];
  /** Best first; every browser supports the last. */
  formats: readonly ImageFormat[];
}

interface CoverFacts {
  id: string;
  type: MediaType;
  color: string;
  coverVersion: number | null;
}

/** The server blurs it, for viewers without access. */
export function lockedPicture({ id, type, color, coverVersion }: CoverFacts): PictureView {
  return {
    alt: "",
    color,
    width: BLUR_WIDTH,
    height: coverHeight(type, BLUR_WIDTH),
    url: paths.mediaFile(id, fileStems.blur, coverVersion ?? 0),
    widths: [BLUR_WIDTH],
    formats: ["webp"],
  };
}

export function coverView({ id, type, color, coverVersion }: CoverFacts): PictureView {
  const [width] = COVER_WIDTHS;
  const url = paths.mediaFile(id, fileStems.cover, coverVersion ?? 0);
  return {
    alt: "",
    color,
    width,
    height: coverHeight(type, width),
    url,
    widths: COVER_WIDTHS,
    formats: IMAGE_FORMATS,
  };
}

interface PortraitFacts {
  id: string;
  color: string;
  portrait_key: string | null;
  portrait_alt: string;
}

export function portraitView(row: PortraitFacts): PictureView | null {
  if (row.portrait_key === null) return null;
  const version = creatorFileVersion(row.portrait_key);
  const [width] = COVER_WIDTHS;
  const url = paths.creatorFile(row.id, fileStems.portrait);
  return {
    alt: row.portrait_alt,
    color: row.color,
    width,
    height: coverHeight("portrait", width),
    url,
    ...(version === null ? {} : { version }),
    widths: COVER_WIDTHS,
    formats: IMAGE_FORMATS,
  };
}
