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

export interface StoredSound extends Omit<StoredRung, "width" | "height"> {
  /** BCP 47. */
  language: string;
  label: string;
}

interface Ladder {
  /** The best size first. */
  rungs: StoredRung[];
  /** The default one first; none where the only sound is in every size. */
  sounds: StoredSound[];
}

/** The playlists of a video's ladder; none while there is no ladder. */
export async function readLadder(mediaId: string): Promise<Ladder> {
  if (!UUID.test(mediaId)) return { rungs: [], sounds: [] };
  type Row = StoredRung & StoredSound & { isSound: boolean };
  const rows = await db.execute<Row & Record<string, unknown>>(sql`
    SELECT f.name, f.version, f.width, f.height, f.bandwidth::float8 AS bandwidth, f.codecs, f.language, f.label,
      f.width IS NULL AS "isSound"
    FROM media_files f WHERE f.media_id = ${mediaId} AND ${isLatest} AND f.bandwidth IS NOT NULL
    ORDER BY LEAST(f.width, f.height) DESC, length(f.name), f.name`);
  return { rungs: rows.filter(({ isSound }) => !isSound), sounds: rows.filter(({ isSound }) => isSound) };
}
