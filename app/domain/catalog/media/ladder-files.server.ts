import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { UUID } from "./served-file.server.ts";
import { isLatest } from "./visibility.server.ts";

export interface StoredRung {
  /** Names its playlist. */
  name: string;
  version: number;
  width: number;
  height: number;
  /** Bits per second of the largest segment. */
  bandwidth: number;
  codecs: string;
}

/** The playlists of a video's ladder, the best size first; none while there is no ladder. */
export async function listRungs(mediaId: string): Promise<StoredRung[]> {
  if (!UUID.test(mediaId)) return [];
  return db.execute<StoredRung & Record<string, unknown>>(sql`
    SELECT f.name, f.version, f.width, f.height, f.bandwidth::float8 AS bandwidth, f.codecs FROM media_files f
    WHERE f.media_id = ${mediaId} AND ${isLatest} AND f.bandwidth IS NOT NULL
    ORDER BY LEAST(f.width, f.height) DESC`);
}
