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
  /**
   * Milliseconds since 1970 in the server's time. A report that is not later than the stored one is ignored; without a
   * sequence the order of arrival decides.
   */
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

/**
 * The caller has checked the access. Returns the row as it is afterwards, also when the report came late and changed
 * nothing; null for an unknown item.
 */
export async function saveProgress(report: SaveProgress): Promise<SavedView | null> {
  const [saved] = await db.execute<SavedView>(statement(report));
  if (saved) return saved;
  const { userId, mediaId } = report;
  const [stored] = await db.execute<SavedView>(
    sql`SELECT ${row} FROM views v WHERE v.user_id = ${userId} AND v.media_id = ${mediaId}`,
  );
  return stored ?? null;
}

const row = sql`v.id, v.media_id AS "mediaId", v.user_id AS "userId", v.progress,
  v.completed_at IS NOT NULL AS "isCompleted"`;

/** Returns no row for a late report. */
function statement({ userId, mediaId, progress, sequence }: SaveProgress): SQL {
  const sentAt = sequence === undefined ? null : Math.floor(sequence);
  // A clock ahead of ours must not lock the other devices out. The lock lets one of two reports at once count the play.
  return sql`
    WITH known AS MATERIALIZED (
      SELECT last_viewed_at < now() - ${PLAY_PAUSE} AS is_paused, reported_progress, play_count, completed_play,
        extract(epoch FROM now() - last_viewed_at)::float8 AS seconds_since
      FROM views
      WHERE user_id = ${userId} AND media_id = ${mediaId} FOR NO KEY UPDATE
    ), given AS MATERIALIZED (
      SELECT m.id AS media_id, least(${sentAt}::bigint, ${nowMs}) AS sequence, p.progress,
        ${isEarly} AS is_early, ${isDone} AS is_done,
        p.progress <= COALESCE(m.duration_seconds, m.photo_count, 0) / 2.0 AS is_first_half,
        m.type = 'video' AS is_video, ${sentAt}::bigint IS NULL AS is_untimed,
        COALESCE(known.is_paused, false) AS was_paused, ${watched} AS watched,
        COALESCE(${isDone} AND known.completed_play < known.play_count + known.is_paused::int, false) AS completes
      FROM media m LEFT JOIN known ON true, LATERAL (
        SELECT least(greatest(${progress}::float8, 0), COALESCE(m.duration_seconds, m.photo_count, 0)) AS progress
      ) p
      WHERE m.id = ${mediaId}
    ), saved AS (
      INSERT INTO views AS v (media_id, user_id, progress, reported_progress, sequence, completed_at, completed_play)
      SELECT media_id, ${userId}::uuid, progress, progress, sequence, CASE WHEN is_done THEN now() END, is_done::int
      FROM given
      ON CONFLICT (user_id, media_id) DO UPDATE SET
        sequence = excluded.sequence,
        progress = CASE WHEN ${keepsProgress} THEN v.progress ELSE excluded.progress END,
        reported_progress = excluded.reported_progress,
        completed_at = CASE
          WHEN ${ofGiven(sql`is_done`)} THEN COALESCE(v.completed_at, now())
          WHEN ${staysDone} THEN v.completed_at
        END,
        play_count = v.play_count + ${ofGiven(sql`was_paused::int`)},
        completed_play = CASE WHEN ${ofGiven(sql`completes`)}
          THEN v.play_count + ${ofGiven(sql`was_paused::int`)} ELSE v.completed_play END,
        last_viewed_at = now(),
        hidden_at = NULL
      WHERE excluded.sequence > v.sequence
        OR (excluded.sequence = v.sequence AND ${ofGiven(sql`is_untimed`)})
      RETURNING ${row}, v.xmax = 0 AS is_new
    ), played AS (
      UPDATE media m SET play_count = play_count + 1
      FROM saved, given WHERE m.id = ${mediaId} AND (is_new OR was_paused)
    ), counted AS (
      INSERT INTO media_counts AS c (media_id, watched_seconds, completions)
      SELECT media_id, watched, (completes OR (is_new AND is_done))::int FROM saved, given
      WHERE watched > 0 OR completes OR (is_new AND is_done)
      ON CONFLICT (media_id) DO UPDATE SET watched_seconds = c.watched_seconds + excluded.watched_seconds,
        completions = c.completions + excluded.completions
    )
    SELECT id, "mediaId", "userId", progress, "isCompleted" FROM saved`;
}

const isEarly: SQL = sql`CASE m.type WHEN 'video' THEN p.progress < ${EARLY_SECONDS} ELSE p.progress <= 1 END`;
/** False where the length is not known. */
const isDone: SQL = sql`COALESCE(CASE m.type
  WHEN 'video' THEN p.progress >= m.duration_seconds * ${DONE_PART}::float8
    OR (m.duration_seconds >= ${DONE_LAST_SECONDS_FROM} AND m.duration_seconds - p.progress <= ${DONE_LAST_SECONDS})
  ELSE p.progress >= m.photo_count END, false)`;

/** Seconds: no more than have passed since the last report of this play, nor than it has moved since then. */
const watched: SQL = sql`CASE WHEN m.type = 'video' AND NOT COALESCE(known.is_paused, true)
  THEN greatest(least(p.progress - known.reported_progress, known.seconds_since), 0) ELSE 0 END`;

function ofGiven(fact: SQL): SQL {
  return sql`(SELECT ${fact} FROM given)`;
}

/** A completed view is reopened by playing its first half again, not by a look at its beginning. */
const staysDone: SQL = sql`v.completed_at IS NOT NULL AND ${ofGiven(sql`is_early OR NOT is_first_half`)}`;
const keepsProgress: SQL = sql`NOT ${ofGiven(sql`is_done`)} AND (
  ${staysDone} OR (v.completed_at IS NULL AND v.progress > ${KEPT_SECONDS}
    AND ${ofGiven(sql`is_early AND is_video`)}))`;
