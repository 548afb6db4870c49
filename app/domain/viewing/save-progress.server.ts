import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { nowMs } from "#db/clock.server.ts";
import {
  DONE_LAST_SECONDS,
  DONE_LAST_SECONDS_FROM,
  DONE_PART,
  EARLY_SECONDS,
  KEPT_SECONDS,
} from "./progress-rules.ts";

/** A new play of the same media counts after this pause. */
const PLAY_PAUSE = sql`interval '1 hour'`;

export interface SaveProgress {
  userId: string;
  mediaId: string;
  /** Seconds of a video or number of a photo. */
  progress: number;
  /** Unix milliseconds; progress not later than the stored one is ignored. Defaults to now. */
  sequence?: number | undefined;
}

/** Named as in the specification, plus `isCompleted`. */
export type SavedView = {
  id: string;
  mediaId: string;
  userId: string;
  progress: number;
  isCompleted: boolean;
};

const row = sql`v.id, v.media_id AS "mediaId", v.user_id AS "userId", v.progress,
  v.completed_at IS NOT NULL AS "isCompleted"`;

/** The caller has checked accessTo(). Returns the row afterwards, even when late; null without such media. */
export async function saveProgress({
  userId,
  mediaId,
  progress,
  sequence,
}: SaveProgress): Promise<SavedView | null> {
  // A clock ahead of ours must not lock the other devices out.
  const order = sequence === undefined ? nowMs : sql`least(${Math.floor(sequence)}::bigint, ${nowMs})`;
  const [saved] = await db.execute<SavedView>(sql`
    WITH given AS (
      SELECT m.id AS media_id, ${order} AS sequence, p.progress, ${isEarly} AS is_early, ${isDone} AS is_done,
        p.progress <= COALESCE(m.duration_seconds, m.photo_count, 0) / 2.0 AS is_first_half,
        m.type = 'video' AS is_video
      FROM media m, LATERAL (
        SELECT least(greatest(${progress}::float8, 0), COALESCE(m.duration_seconds, m.photo_count, 0)) AS progress
      ) p
      WHERE m.id = ${mediaId}
    ), before AS (
      SELECT last_viewed_at FROM views WHERE user_id = ${userId} AND media_id = ${mediaId}
    ), saved AS (
      INSERT INTO views AS v (media_id, user_id, progress, sequence, completed_at)
      SELECT media_id, ${userId}, progress, sequence, CASE WHEN is_done THEN now() END FROM given
      ON CONFLICT (user_id, media_id) DO UPDATE SET
        sequence = excluded.sequence,
        progress = CASE WHEN ${keepsProgress} THEN v.progress ELSE excluded.progress END,
        completed_at = CASE
          WHEN (SELECT is_done FROM given) THEN COALESCE(v.completed_at, now())
          WHEN ${staysDone} THEN v.completed_at
        END,
        play_count = v.play_count + CASE WHEN v.last_viewed_at < now() - ${PLAY_PAUSE} THEN 1 ELSE 0 END,
        last_viewed_at = now(),
        hidden_at = NULL
      WHERE excluded.sequence > v.sequence
      RETURNING ${row}, v.xmax = 0 AS is_new
    ), counted AS (
      UPDATE media SET play_count = play_count + 1
      WHERE id = ${mediaId} AND (EXISTS (SELECT FROM saved WHERE is_new) OR (EXISTS (SELECT FROM saved)
        AND EXISTS (SELECT FROM before WHERE last_viewed_at < now() - ${PLAY_PAUSE})))
    )
    SELECT id, "mediaId", "userId", progress, "isCompleted" FROM saved
    UNION ALL
    SELECT ${row} FROM views v
    WHERE v.user_id = ${userId} AND v.media_id = ${mediaId} AND NOT EXISTS (SELECT FROM saved)
  `);
  return saved ?? null;
}

const isEarly: SQL = sql`CASE m.type WHEN 'video' THEN p.progress < ${EARLY_SECONDS} ELSE p.progress <= 1 END`;
const isDone: SQL = sql`CASE m.type
  WHEN 'video' THEN p.progress >= m.duration_seconds * ${DONE_PART}::float8
    OR (m.duration_seconds >= ${DONE_LAST_SECONDS_FROM} AND m.duration_seconds - p.progress <= ${DONE_LAST_SECONDS})
  ELSE p.progress >= m.photo_count END`;

/** A completed view is reopened by playing its first half again, not by a look at its beginning. */
const staysDone: SQL = sql`v.completed_at IS NOT NULL
  AND (SELECT is_early OR NOT is_first_half FROM given)`;
const keepsProgress: SQL = sql`NOT (SELECT is_done FROM given) AND (
  ${staysDone} OR (v.completed_at IS NULL AND v.progress > ${KEPT_SECONDS}
    AND (SELECT is_early AND is_video FROM given)))`;
