import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import type { MediaState } from "../../media/media.server.ts";
import { coverVersion } from "../../media/served-file.server.ts";
import { storedVideo, type VideoContents, videoContents } from "../../media/video-contents.server.ts";
import { isExpired } from "../../media/visibility.server.ts";

export interface ItemFacts {
  isExpired: boolean;
  hiddenFrom: MediaState | null;
  takenDownAt: Date | null;
  takenDownReason: string | null;
  deletedAt: Date | null;
  /** Why it was not published on time. */
  publishProblem: string | null;
  coverVersion: number | null;
  color: string;
  width: number | null;
  height: number | null;
  video: VideoContents | null;
}

type Row = Omit<ItemFacts, "takenDownAt" | "deletedAt" | "video"> & {
  takenDownAt: string | null;
  deletedAt: string | null;
  isVideo: boolean;
  stored: Parameters<typeof videoContents>[1];
} & Record<string, unknown>;

export async function findItemFacts(id: string): Promise<ItemFacts | null> {
  const [row] = await db.execute<Row>(sql`
    SELECT ${isExpired} AS "isExpired",
      m.hidden_from AS "hiddenFrom", m.taken_down_at AS "takenDownAt", m.taken_down_reason AS "takenDownReason",
      m.deleted_at AS "deletedAt", m.publish_problem AS "publishProblem", m.color, m.width, m.height,
      ${coverVersion} AS "coverVersion",
      m.type = 'video' AS "isVideo", ${storedVideo} AS stored
    FROM media m WHERE m.id = ${id}`);
  if (!row) return null;
  const { stored, isVideo, takenDownAt, deletedAt, ...facts } = row;
  return {
    ...facts,
    takenDownAt: takenDownAt === null ? null : new Date(takenDownAt),
    deletedAt: deletedAt === null ? null : new Date(deletedAt),
    video: isVideo ? videoContents(id, stored) : null,
  };
}
