import { COVER_WIDTHS, fileStems, IMAGE_FORMATS } from "#app/domain/media/renditions.ts";

/** nginx names the type of small files by their ending; the import names the same. */
export const TYPES_BY_ENDING: Record<string, string> = {
  avif: "image/avif",
  webp: "image/webp",
  vtt: "text/vtt; charset=utf-8",
};

/** The path of a cover, as a regular expression. */
export const COVER_PATH = String.raw`/media/[\w-]+/${fileStems.cover}-${Math.min(...COVER_WIDTHS)}\.(?:${IMAGE_FORMATS.join("|")})`;
