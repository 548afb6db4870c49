import { sql } from "drizzle-orm";
import { fileStems } from "#app/domain/media/renditions.ts";
import type { Transaction } from "#db/client.server.ts";
import { isOpenStep } from "../../media/encoding-work.server.ts";
import { claimFileVersion } from "./replace-files.server.ts";

export const TRAILER_STEP = fileStems.trailer;

const LAST_POSITION = 1_000;

/** Runs after the video files that are being made. The current trailer stays until the new one is done. False for a video without a trailer. */
export async function queueTrailer(tx: Transaction, mediaId: string): Promise<boolean> {
  const [trailer] = await tx.execute(sql`SELECT FROM media_trailers WHERE media_id = ${mediaId}`);
  if (trailer === undefined) return false;
  const version = await claimFileVersion(mediaId, tx);
  if (version === null) return false;
  await tx.execute(sql`UPDATE media_trailers SET version = ${version} WHERE media_id = ${mediaId}`);
  // A video of the demo came with its files, so it has no other steps.
  await tx.execute(sql`INSERT INTO media_encodings (media_id) VALUES (${mediaId}) ON CONFLICT DO NOTHING`);
  await tx.execute(sql`
    INSERT INTO media_work (media_id, step, position, after, file_group)
    VALUES (${mediaId}, ${TRAILER_STEP}, ${LAST_POSITION}, ARRAY(SELECT w.step FROM media_work w WHERE w.media_id = ${mediaId}
      AND w.file_group = ${fileStems.video} AND ${isOpenStep}), ${TRAILER_STEP})
    ON CONFLICT (media_id, step) DO UPDATE SET after = excluded.after, state = 'waiting', attempts = 0, percent = 0,
      claimed_by = NULL, due_at = now(), last_lines = '{}', made = '[]', updated_at = clock_timestamp()`);
  return true;
}
