import { type SQL, sql } from "drizzle-orm";
import {
  FORMER_WIDEST,
  fileNames,
  fileStems,
  IMAGE_FORMATS,
  PHOTO_WIDTHS,
  photoWidths,
} from "#app/domain/media/renditions.ts";
import { paths } from "#app/paths.ts";
import type { Marker } from "#db/schema/catalog.ts";
import type { PictureView } from "./picture-view.ts";
import { isLatest } from "./visibility.server.ts";

interface StoredFile {
  name: string;
  version: number;
  /** The shorter side in pixels, as in "720p". */
  quality: number | null;
  contentType: string;
  bytes: number;
  language: string | null;
  label: string | null;
}

interface StoredVideo {
  files: StoredFile[];
  markers: Marker[] | null;
}

interface StoredPhoto {
  position: number;
  number: number;
  /** Its files have this one. */
  version: number;
  alt: string;
  width: number;
  height: number;
  widest: number | null;
  color: string;
  isPreview: boolean;
}

interface StoredPhotoWithDownload extends StoredPhoto {
  /** The largest file, a JPEG unless it is from before there were any. */
  largest: { name: string; version: number; bytes: number } | null;
}

export interface VideoContents {
  /** URL of the poster in the video's own shape; null when the cover is used instead. */
  poster: string | null;
  sources: { url: string; quality: number; contentType: string; bytes: number }[];
  captions: { url: string; language: string; label: string }[];
  markers: Marker[];
}

export interface PhotoView {
  position: number;
  picture: PictureView | null;
}

/** The version of a row `p` of photos, by the smallest of its files that photoWidths() names. */
export const photoVersion: SQL<number> = sql`COALESCE((SELECT f.version FROM media_files f
  WHERE f.media_id = p.media_id AND ${isLatest}
    AND f.name = concat('photo-', p.number, '-', LEAST(p.width, ${PHOTO_WIDTHS[0]}::int), '.webp')), 0)`;

const PHOTO = sql`jsonb_build_object('position', p.position, 'number', p.number, 'version', ${photoVersion},
  'alt', p.alt, 'width', p.width, 'height', p.height, 'widest', p.widest, 'color', p.color, 'isPreview', p.is_preview)`;

const LARGEST = sql`(SELECT jsonb_build_object('name', f.name, 'version', f.version, 'bytes', f.bytes) FROM media_files f
  WHERE f.media_id = p.media_id AND ${isLatest} AND starts_with(f.name, concat('photo-', p.number, '-'))
  ORDER BY f.name LIKE '%.jpg' DESC, f.width DESC, f.name LIKE '%.webp' DESC LIMIT 1)`;

export const storedVideo: SQL<StoredVideo> = sql`jsonb_build_object(
  'files', COALESCE((
    SELECT jsonb_agg(jsonb_build_object('name', f.name, 'version', f.version, 'quality', LEAST(f.width, f.height),
      'contentType', f.content_type, 'bytes', f.bytes, 'language', f.language, 'label', f.label)
      ORDER BY LEAST(f.width, f.height) DESC NULLS LAST, f.name)
    FROM media_files f WHERE f.media_id = m.id AND ${isLatest}
      AND (f.name LIKE 'video-%' OR f.name LIKE 'captions-%' OR f.name = ${fileNames.poster()})
  ), '[]'),
  'markers', (SELECT v.markers FROM videos v WHERE v.media_id = m.id))`;

export const storedPhotos: SQL<StoredPhoto[]> = sql`COALESCE((
  SELECT jsonb_agg(${PHOTO} ORDER BY p.position) FROM photos p WHERE p.media_id = m.id AND p.position IS NOT NULL
), '[]')`;

export function storedPhotoAt(position: number): SQL<StoredPhotoWithDownload | null> {
  return sql`(SELECT ${PHOTO} || jsonb_build_object('largest', ${LARGEST}) FROM photos p WHERE p.media_id = m.id AND p.position = ${position})`;
}

/** Contains the files' URLs, so only for those who may view. */
export function videoContents(mediaId: string, { files, markers }: StoredVideo): VideoContents {
  const named = (start: string) => files.filter(({ name }) => name.startsWith(start));
  const url = ({ name, version }: StoredFile) => paths.mediaFile(mediaId, name, version);
  const poster = files.find(({ name }) => name === fileNames.poster());
  return {
    poster: poster ? url(poster) : null,
    sources: named("video-").map((file) => ({
      url: url(file),
      quality: file.quality ?? 0,
      contentType: file.contentType,
      bytes: file.bytes,
    })),
    captions: named("captions-").map((file) => ({
      url: url(file),
      language: file.language ?? "en",
      label: file.label ?? file.language ?? "Captions",
    })),
    markers: markers ?? [],
  };
}

/** Previews are open to everyone past the age gate. */
export function photoView(mediaId: string, photo: StoredPhoto, mayView: boolean): PhotoView {
  const { position, number, version, alt, width, height, widest, color, isPreview } = photo;
  if (!mayView && !isPreview) return { position, picture: null };
  const url = paths.mediaFile(mediaId, fileStems.photo(number), version);
  const widths = photoWidths(Math.min(width, widest ?? FORMER_WIDEST));
  return { position, picture: { alt, color, width, height, url, widths, formats: IMAGE_FORMATS } };
}

/** Only for those who may download. */
export function photoDownload(
  mediaId: string,
  { largest }: StoredPhotoWithDownload,
): { url: string; bytes: number } | null {
  return largest && { url: paths.mediaFile(mediaId, largest.name, largest.version), bytes: largest.bytes };
}
