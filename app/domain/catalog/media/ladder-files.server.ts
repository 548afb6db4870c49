import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { UUID } from "./served-file.server.ts";
import { isLatest } from "./visibility.server.ts";

export interface StoredRung {
  name: string;
  version: number;
  width: number;
  height: number;
  /** Bits per second of the largest segment. */
  bandwidth: number;
  codecs: string;
}

export interface StoredAudioTrack extends Omit<StoredRung, "width" | "height"> {
  language: string;
  label: string;
}

interface Ladder {
  rungs: StoredRung[];
  /** The default first; none when each size contains its audio. */
  audioTracks: StoredAudioTrack[];
}

export async function readLadder(mediaId: string): Promise<Ladder> {
  if (!UUID.test(mediaId)) return { rungs: [], audioTracks: [] };
  type Row = StoredRung & StoredAudioTrack & { isAudio: boolean };
  const rows = await db.execute<Row & Record<string, unknown>>(sql`
    SELECT f.name, f.version, f.width, f.height, f.bandwidth::float8 AS bandwidth, f.codecs, f.language, f.label,
      f.width IS NULL AS "isAudio"
    FROM media_files f WHERE f.media_id = ${mediaId} AND ${isLatest} AND f.bandwidth IS NOT NULL
    ORDER BY LEAST(f.width, f.height) DESC, length(f.name), f.name`);
  return {
    rungs: rows.filter(({ isAudio }) => !isAudio),
    audioTracks: rows.filter(({ isAudio }) => isAudio),
  };
}
