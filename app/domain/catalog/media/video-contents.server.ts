import { sql } from "drizzle-orm";
import { z } from "zod";
import { fileNames, fileStems } from "#app/domain/media/renditions.ts";
import { layoutOfSheets, SPRITE_WIDTH, spritePosition } from "#app/domain/media/video/sprite-places.ts";
import { paths } from "#app/paths.ts";
import { fixedSql } from "#db/fixed-sql.ts";
import { number, text } from "#db/rows.ts";
import type { Marker } from "#db/schema/catalog.ts";
import { isLatest } from "./visibility.server.ts";

const StoredFile = z.object({
  name: text,
  version: number,
  size: number.nullable(),
  height: number.nullable(),
  contentType: text,
  bytes: number,
  language: text.nullable(),
  label: text.nullable(),
});

export const StoredVideo = z.object({
  files: z.array(StoredFile),
  markers: z.array(z.object({ atSeconds: number, title: text })).nullable(),
  seconds: number.nullable(),
  width: number.nullable(),
  height: number.nullable(),
});
type StoredVideo = z.infer<typeof StoredVideo>;

interface SpritePart {
  url: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface VideoContents {
  /** In the video's shape; null when the cover is used. */
  poster: string | null;
  sources: { url: string; size: number; contentType: string; bytes: number }[];
  captions: { url: string; language: string; label: string }[];
  markers: (Marker & { picture: SpritePart | null })[];
  ladder: { master: string; rungs: { size: number; url: string }[]; audioTrackCount: number } | null;
  sprites: string | null;
}

/** As in the index `media_files_captions`. */
export const isCaptions = sql`f.name LIKE 'captions-%' AND ${isLatest}`;

export const storedVideo = fixedSql<StoredVideo>(sql`jsonb_build_object(
  'files', COALESCE((
    SELECT jsonb_agg(jsonb_build_object('name', f.name, 'version', f.version, 'size', LEAST(f.width, f.height), 'height', f.height,
      'contentType', f.content_type, 'bytes', f.bytes, 'language', f.language, 'label', f.label)
      ORDER BY LEAST(f.width, f.height) DESC NULLS LAST, f.name)
    FROM media_files f WHERE f.media_id = m.id AND ${isLatest}
      AND (f.name LIKE 'video-%' OR f.name LIKE 'captions-%' OR f.name LIKE 'rung-%.m3u8' OR f.name LIKE 'sprite%'
        OR f.name IN (${fileNames.poster()}, ${fileNames.trailer()}))
  ), '[]'),
  'markers', (SELECT v.markers FROM videos v WHERE v.media_id = m.id), 'seconds', m.duration_seconds, 'width', m.width, 'height', m.height)`);

/** Contains URLs of files: only for those who may view. */
export function videoContents(mediaId: string, { files, markers, ...video }: StoredVideo): VideoContents {
  const named = (start: string) => files.filter(({ name }) => name.startsWith(start));
  const url = ({ name, version }: z.infer<typeof StoredFile>) => paths.mediaFile(mediaId, name, version);
  const find = (wanted: string) => files.find(({ name }) => name === wanted);
  const poster = find(fileNames.poster());
  const sprites = find(fileNames.spriteTimes());
  const playlists = named(`${fileStems.rung}-`);
  const rungs = playlists.flatMap((file) =>
    file.size === null ? [] : [{ size: file.size, url: url(file) }],
  );
  // Playlists of audio tracks have no size.
  const audioTrackCount = playlists.length - rungs.length;
  const { seconds, width, height } = video;
  const sheet = find(fileNames.sprite(1));
  const layout =
    sprites && sheet?.height && seconds && width && height
      ? layoutOfSheets(
          { count: named(`${fileStems.sprite}-`).length, height: sheet.height },
          { seconds, width, height },
        )
      : null;
  const pictureBetween = (from: number, to: number): SpritePart | null => {
    if (layout === null) return null;
    const before = Math.floor(from / layout.every);
    const found = (number: number) => {
      const position = spritePosition(number);
      const file = find(fileNames.sprite(position.sheet));
      return file === undefined || position.y >= layout.rows ? null : { ...position, file };
    };
    // The very first picture shows the chapter before, or a fade from black.
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
    ladder: rungs.length > 0 ? { master: paths.mediaMaster(mediaId), rungs, audioTrackCount } : null,
    sprites: sprites ? url(sprites) : null,
    sources: named(`${fileStems.video}-`).map((file) => ({
      url: url(file),
      size: file.size ?? 0,
      contentType: file.contentType,
      bytes: file.bytes,
    })),
    captions: named(`${fileStems.captions}-`).map((file) => ({
      url: url(file),
      ...captionsNames(file),
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

export function captionsNames({ language, label }: { language: string | null; label: string | null }) {
  return { language: language ?? "und", label: label ?? language ?? "Captions" };
}

/** Differences between an item's length and that of its sheets are smaller. */
const DRIFT_SECONDS = 1;

/** Everybody who sees the page may see the trailer. */
export function trailerUrl(mediaId: string, { files }: StoredVideo): string | null {
  const trailer = files.find(({ name }) => name === fileNames.trailer());
  return trailer ? paths.mediaFile(mediaId, trailer.name, trailer.version) : null;
}
