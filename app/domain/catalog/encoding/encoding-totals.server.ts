import { sql } from "drizzle-orm";
import { fileStems } from "#app/domain/media/renditions.ts";
import { db } from "#db/client.server.ts";

interface EncodingTotals extends Record<string, unknown> {
  waiting: number;
  running: number;
  failed: number;
  /** Seconds of video for each second of work, of the sizes made in the last hour; 0 without any. */
  speed: number;
}

/** Counts the steps of all videos, for the metrics. */
export async function readEncodingTotals(): Promise<EncodingTotals> {
  const [totals] = await db.execute<EncodingTotals>(sql`
    SELECT count(*) FILTER (WHERE w.state = 'waiting')::int AS waiting,
      count(*) FILTER (WHERE w.state = 'running')::int AS running,
      count(*) FILTER (WHERE w.state = 'failed')::int AS failed,
      coalesce(sum(m.duration_seconds) FILTER (WHERE w.seconds > 0) / sum(w.seconds) FILTER (WHERE w.seconds > 0), 0)
        ::float8 AS speed
    FROM media_work w JOIN media m ON m.id = w.media_id
    WHERE w.state <> 'done' OR (starts_with(w.step, ${`${fileStems.rung}-`}) AND w.updated_at > now() - interval '1 hour')`);
  return totals ?? { waiting: 0, running: 0, failed: 0, speed: 0 };
}
