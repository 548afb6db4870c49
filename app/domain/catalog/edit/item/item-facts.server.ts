import { z } from "zod";
import { db } from "#db/client.server.ts";
import { flag, number, readRow, text, timestamp } from "#db/rows.ts";
import { coverVersion } from "../../media/served-file.server.ts";
import {
  StoredVideo,
  storedVideo,
  type VideoContents,
  videoContents,
} from "../../media/video-contents.server.ts";
import { isExpired } from "../../media/visibility.server.ts";

const FactsRow = z.object({
  isExpired: flag,
  takenDownAt: timestamp.nullable(),
  takenDownReason: text.nullable(),
  deletedAt: timestamp.nullable(),
  /** Why it was not published on time. */
  publishProblem: text.nullable(),
  coverVersion: number.nullable(),
  color: text,
  width: number.nullable(),
  height: number.nullable(),
  isVideo: flag,
  stored: StoredVideo,
});
export type ItemFacts = Omit<z.infer<typeof FactsRow>, "isVideo" | "stored"> & {
  video: VideoContents | null;
};

export async function findItemFacts(id: string): Promise<ItemFacts | null> {
  const row = await readRow(db, FactsRow)`
    SELECT ${isExpired} AS "isExpired",
      m.taken_down_at AS "takenDownAt", m.taken_down_reason AS "takenDownReason",
      m.deleted_at AS "deletedAt", m.publish_problem AS "publishProblem", m.color, m.width, m.height,
      ${coverVersion} AS "coverVersion",
      m.type = 'video' AS "isVideo", ${storedVideo} AS stored
    FROM media m WHERE m.id = ${id}`;
  if (!row) return null;
  const { stored, isVideo, ...facts } = row;
  return { ...facts, video: isVideo ? videoContents(id, stored) : null };
}
