import { type SQL, sql } from "drizzle-orm";
import { fileNames, fileStems, IMAGE_FORMATS, photoWidths } from "#app/domain/media/renditions.ts";
import { paths } from "#app/paths.ts";
import type { Marker } from "#db/schema/catalog.ts";
import type { PictureView } from "./picture-view.ts";

interface StoredFile {
  name: string;
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
  alt: string;
  width: number;
  height: number;
  color: string;
  isPreview: boolean;
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

const PHOTO = sql`jsonb_build_object('position', p.position, 'alt', p.alt, 'width', p.width, 'height', p.height,
  'color', p.color, 'isPreview', p.is_preview)`;

export const storedVideo: SQL<StoredVideo> = sql`jsonb_build_object(
  'files', COALESCE((
    SELECT jsonb_agg(jsonb_build_object('name', f.name, 'quality', LEAST(f.width, f.height),
      'contentType', f.content_type, 'bytes', f.bytes, 'language', f.language, 'label', f.label)
      ORDER BY LEAST(f.width, f.height) DESC NULLS LAST, f.name)
    FROM media_files f WHERE f.media_id = m.id
      AND (f.name LIKE 'video-%' OR f.name LIKE 'captions-%' OR f.name = ${fileNames.poster()})
  ), '[]'),
  'markers', (SELECT v.markers FROM videos v WHERE v.media_id = m.id))`;

export const storedPhotos: SQL<StoredPhoto[]> = sql`COALESCE((
  SELECT jsonb_agg(${PHOTO} ORDER BY p.position) FROM photos p WHERE p.media_id = m.id
), '[]')`;

export function storedPhotoAt(position: number): SQL<StoredPhoto | null> {
  return sql`(SELECT ${PHOTO} FROM photos p WHERE p.media_id = m.id AND p.position = ${position})`;
}

/** Contains the files' URLs, so only for those who may view. */
export function videoContents(mediaId: string, { files, markers }: StoredVideo): VideoContents {
  const named = (start: string) => files.filter(({ name }) => name.startsWith(start));
  const url = (name: string) => paths.mediaFile(mediaId, name);
  const poster = files.find(({ name }) => name === fileNames.poster());
  return {
    poster: poster ? url(poster.name) : null,
    sources: named("video-").map(({ name, quality, contentType, bytes }) => ({
      url: url(name),
      quality: quality ?? 0,
      contentType,
      bytes,
    })),
    captions: named("captions-").map(({ name, language, label }) => ({
      url: url(name),
      language: language ?? "en",
      label: label ?? language ?? "Captions",
    })),
    markers: markers ?? [],
  };
}

/** Previews are open to everyone past the age gate. */
export function photoView(mediaId: string, photo: StoredPhoto, mayView: boolean): PhotoView {
  const { position, alt, width, height, color, isPreview } = photo;
  if (!mayView && !isPreview) return { position, picture: null };
  const url = paths.mediaFile(mediaId, fileStems.photo(position));
  const picture = { alt, color, width, height, url, widths: photoWidths(width), formats: IMAGE_FORMATS };
  return { position, picture };
}
