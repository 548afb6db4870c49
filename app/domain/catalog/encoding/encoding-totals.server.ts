import { z } from "zod";
import { fileStems } from "#app/domain/media/renditions.ts";
import { db } from "#db/client.server.ts";
import { number, readOne } from "#db/rows.ts";
import { isOpenStep } from "../media/encoding-work.server.ts";

/** `speed`: seconds of video per second of work in the last hour, or 0. */
const EncodingTotals = z.object({ waiting: number, running: number, failed: number, speed: number });
export function readEncodingTotals(): Promise<z.infer<typeof EncodingTotals>> {
  // Each part has an index, because most steps were done long ago.
  return readOne(db, EncodingTotals)`
    SELECT open.waiting, open.running, failed.failed, made.speed FROM (
      SELECT count(*) FILTER (WHERE state = 'waiting')::int AS waiting,
        count(*) FILTER (WHERE state = 'running')::int AS running
      FROM media_work w WHERE ${isOpenStep}) open, (
      SELECT count(*)::int AS failed FROM media_work WHERE state = 'failed') failed, (
      SELECT coalesce(sum(m.duration_seconds) / sum(w.seconds), 0)::float8 AS speed
      FROM media_work w JOIN media m ON m.id = w.media_id
      WHERE w.state = 'done' AND w.updated_at > now() - interval '1 hour'
        AND starts_with(w.step, ${`${fileStems.rung}-`}) AND w.seconds > 0) made`;
}
