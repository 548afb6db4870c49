import { sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client.server.ts";
import { number, readRow, text } from "#db/rows.ts";
import { coverVersion } from "../../media/served-file.server.ts";
import { StoredVideo, storedVideo } from "../../media/video-contents.server.ts";
import { EditedItem, selectItems } from "./items.server.ts";

/** An item with the player in which an editor looks for a time. */
export const VideoItem = z.object({
  item: EditedItem,
  color: text,
  width: number.nullable(),
  height: number.nullable(),
  coverVersion: number.nullable(),
  stored: StoredVideo,
});
export type VideoItem = z.infer<typeof VideoItem>;

/** For a row `m` of media beside its `item`. */
export const videoItem = sql`to_jsonb(item) AS item, m.color, m.width, m.height, ${coverVersion} AS "coverVersion",
  ${storedVideo} AS stored`;

export async function findVideoItem(id: string): Promise<VideoItem | null> {
  return readRow(db, VideoItem)`
    SELECT ${videoItem} FROM (${selectItems([id])}) item JOIN media m ON m.id = item.id`;
}
