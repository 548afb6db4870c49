import { type SQL, sql } from "drizzle-orm";
import { fileNames } from "#app/domain/media/renditions.ts";
import { paths } from "#app/paths.ts";
import { isLatest } from "./visibility.server.ts";

/** For everybody past the age gate. */
export interface TrailerView {
  url: string;
  hoverUrl: string;
}

export const trailerVersion: SQL<number | null> = sql`(SELECT f.version FROM media_files f
  WHERE f.media_id = m.id AND f.name = ${fileNames.trailer()} AND ${isLatest})`;

export function trailerView(mediaId: string, version: number | null): TrailerView | null {
  if (version === null) return null;
  return {
    url: paths.mediaFile(mediaId, fileNames.trailer(), version),
    hoverUrl: paths.mediaFile(mediaId, fileNames.trailerHover(), version),
  };
}
