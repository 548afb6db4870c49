import { join } from "node:path";
import { z } from "zod";
import { fileNames } from "#app/domain/media/renditions.ts";
import { STORAGE_PLACES } from "#app/domain/media/storage/storage.ts";
import { type MediaFileRow, storeMediaFile } from "#app/domain/media/store-file.server.ts";
import type { RunOptions } from "#app/domain/media/video/ffmpeg.server.ts";
import { makeHoverPreview } from "#app/domain/media/video/hover-preview.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { cutTrailer, TRAILER_SIZE } from "#app/domain/media/video/trailer.server.ts";
import { db } from "#db/client.server.ts";
import { number, readRow, text } from "#db/rows.ts";
import { isLatest } from "../media/visibility.server.ts";
import { readablePath } from "../originals/remake-sources.server.ts";

const TrailerSource = z.object({
  storageKey: text,
  storage: z.enum(STORAGE_PLACES),
  width: number,
  height: number,
});
const Trailer = z.object({ from: number, to: number, version: number });

/** A stored file has the right colors, shape and loudness already. Throws a VideoError or an ImportRefusal. */
export async function makeTrailer(
  mediaId: string,
  { folder, signal, onProgress }: RunOptions & { folder: string },
): Promise<MediaFileRow[]> {
  const trailer = await readRow(db, Trailer)`
    SELECT t.from_seconds AS from, LEAST(t.to_seconds, m.duration_seconds) AS to, t.version::float8 AS version
    FROM media_trailers t JOIN media m ON m.id = t.media_id WHERE t.media_id = ${mediaId}`;
  // The smallest size at or above the trailer's, else the largest.
  const source = await readRow(db, TrailerSource)`
    SELECT storage_key AS "storageKey", storage, width, height FROM media_files f
    WHERE f.media_id = ${mediaId} AND f.name LIKE 'video-%' AND ${isLatest}
    ORDER BY LEAST(width, height) >= ${TRAILER_SIZE} DESC, abs(LEAST(width, height) - ${TRAILER_SIZE}) LIMIT 1`;
  if (trailer === null || source === null) throw new VideoError("it has no file to cut a trailer from");
  if (trailer.to <= trailer.from) throw new VideoError("the video ends before its trailer begins");
  const { storageKey, storage, ...size } = source;
  const path = await readablePath({ storageKey, storage }, folder);
  const target = join(folder, fileNames.trailer());
  const made = await cutTrailer(target, { path, ...size }, trailer, { signal, onProgress });
  const hover = join(folder, fileNames.trailerHover());
  await makeHoverPreview(hover, { path: target, seconds: made.seconds }, { signal });
  const owner = { mediaId, version: trailer.version, contentType: "video/mp4", needs: "see" } as const;
  const { width, height } = made;
  return [
    await storeMediaFile(
      { path: target, move: true },
      { ...owner, name: fileNames.trailer(), width, height },
    ),
    await storeMediaFile({ path: hover, move: true }, { ...owner, name: fileNames.trailerHover() }),
  ];
}
