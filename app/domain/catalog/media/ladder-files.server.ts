import { z } from "zod";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { number, readRows, text } from "#db/rows.ts";
import { isLatest } from "./visibility.server.ts";

const StoredPlaylist = z.object({
  name: text,
  version: number,
  /** Bits per second of the largest segment. */
  bandwidth: number,
  codecs: text,
});
const StoredRung = StoredPlaylist.extend({ width: number, height: number });
export type StoredRung = z.infer<typeof StoredRung>;
const StoredAudioTrack = StoredPlaylist.extend({ width: z.null(), language: text, label: text });
export type StoredAudioTrack = z.infer<typeof StoredAudioTrack>;
const LadderFile = z.union([StoredRung, StoredAudioTrack]);

interface Ladder {
  rungs: StoredRung[];
  /** The default first; none when each size contains its audio. */
  audioTracks: StoredAudioTrack[];
}

export async function readLadder(mediaId: string): Promise<Ladder> {
  if (!UUID.test(mediaId)) return { rungs: [], audioTracks: [] };
  const files = await readRows(db, LadderFile)`
    SELECT f.name, f.version, f.width, f.height, f.bandwidth::float8 AS bandwidth, f.codecs, f.language, f.label
    FROM media_files f WHERE f.media_id = ${mediaId} AND ${isLatest} AND f.bandwidth IS NOT NULL
    ORDER BY LEAST(f.width, f.height) DESC, length(f.name), f.name`;
  return {
    rungs: files.filter((file) => file.width !== null),
    audioTracks: files.filter((file) => file.width === null),
  };
}
