import { type SQL, sql } from "drizzle-orm";
import { fileNames, fileStems } from "#app/domain/media/renditions.ts";
import { layoutOfSheets, SPRITE_WIDTH, spritePosition } from "#app/domain/media/video/sprite-places.ts";
import { paths } from "#app/paths.ts";
import type { Marker } from "#db/schema/catalog.ts";
import { isLatest } from "./visibility.server.ts";

interface StoredFile {
  name: string;
  version: number;
  /** The shorter side in pixels, as in "720p". */
  quality: number | null;
  height: number | null;
  contentType: string;
  bytes: number;
  language: string | null;
  label: string | null;
}

interface StoredVideo {
  files: StoredFile[];
  markers: Marker[] | null;
  seconds: number | null;
  width: number | null;
  height: number | null;
}

/** A picture of the timeline: a part of a sheet, in pixels. */
interface SpritePart {
  url: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface VideoContents {
  /** URL of the poster in the video's own shape; null when the cover is used instead. */
  poster: string | null;
  sources: { url: string; quality: number; contentType: string; bytes: number }[];
  captions: { url: string; language: string; label: string }[];
  markers: (Marker & { picture: SpritePart | null })[];
  /** Null without sizes that a player can change between. */
  ladder: { master: string; rungs: { quality: number; url: string }[]; soundCount: number } | null;
  /** WebVTT that says where each second is pictured; null without pictures of the timeline. */
  sprites: string | null;
}

export const storedVideo: SQL<StoredVideo> = sql`jsonb_build_object(
  'files', COALESCE((
    SELECT jsonb_agg(jsonb_build_object('name', f.name, 'version', f.version, 'quality', LEAST(f.width, f.height), 'height', f.height,
      'contentType', f.content_type, 'bytes', f.bytes, 'language', f.language, 'label', f.label)
      ORDER BY LEAST(f.width, f.height) DESC NULLS LAST, f.name)
    FROM media_files f WHERE f.media_id = m.id AND ${isLatest}
      AND (f.name LIKE 'video-%' OR f.name LIKE 'captions-%' OR f.name LIKE 'rung-%.m3u8' OR f.name LIKE 'sprite%'
        OR f.name IN (${fileNames.poster()}, ${fileNames.trailer()}))
  ), '[]'),
  'markers', (SELECT v.markers FROM videos v WHERE v.media_id = m.id), 'seconds', m.duration_seconds, 'width', m.width, 'height', m.height)`;

/** Contains the files' URLs, so only for those who may view. */
export function videoContents(mediaId: string, { files, markers, ...video }: StoredVideo): VideoContents {
  const named = (start: string) => files.filter(({ name }) => name.startsWith(start));
  const url = ({ name, version }: StoredFile) => paths.mediaFile(mediaId, name, version);
  const find = (wanted: string) => files.find(({ name }) => name === wanted);
  const poster = find(fileNames.poster());
  const sprites = find(fileNames.spriteTimes());
  const playlists = named(`${fileStems.rung}-`);
  const rungs = playlists.flatMap((file) =>
    file.quality === null ? [] : [{ quality: file.quality, url: url(file) }],
  );
  // Playlists of sounds have no size.
  const soundCount = playlists.length - rungs.length;
  const { seconds, width, height } = video;
  const sheet = find(fileNames.sprite(1));
  const layout =
    sprites && sheet?.height && seconds && width && height
      ? layoutOfSheets({ count: named("sprite-").length, height: sheet.height }, { seconds, width, height })
      : null;
  const pictureBetween = (from: number, to: number): SpritePart | null => {
    if (layout === null) return null;
    const before = Math.floor(from / layout.every);
    const found = (number: number) => {
      const position = spritePosition(number);
      const file = find(fileNames.sprite(position.sheet));
      return file === undefined || position.y >= layout.rows ? null : { ...position, file };
    };
    // A picture of its very beginning shows the chapter before, or black from which it fades in.
    const isInside = (before + 1) * layout.every < to;
    const position = (isInside ? found(before + 1) : null) ?? found(before);
    if (position === null) return null;
    const { file } = position;
    const [x, y] = [position.x * SPRITE_WIDTH, position.y * layout.height];
    return { url: url(file), x, y, width: SPRITE_WIDTH, height: layout.height };
  };
  const chapters = markers ?? [];
  return {
    poster: poster ? url(poster) : null,
    ladder: rungs.length > 0 ? { master: paths.mediaMaster(mediaId), rungs, soundCount } : null,
    sprites: sprites ? url(sprites) : null,
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
    markers: chapters.map((marker, index) => ({
      ...marker,
      picture: pictureBetween(
        marker.atSeconds,
        chapters[index + 1]?.atSeconds ?? (seconds ?? 0) - DRIFT_SECONDS,
      ),
    })),
  };
}

/** The length that an item has, and the one that its sheets were made by, differ by less. */
const DRIFT_SECONDS = 1;

/** Null without a trailer, which everybody may see who sees the page. */
export function trailerUrl(mediaId: string, { files }: StoredVideo): string | null {
  const trailer = files.find(({ name }) => name === fileNames.trailer());
  return trailer ? paths.mediaFile(mediaId, trailer.name, trailer.version) : null;
}
