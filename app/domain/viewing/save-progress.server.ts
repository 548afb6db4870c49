import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { nowMs } from "#db/clock.server.ts";
import { groupWrites } from "#db/group-writes.ts";
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
  /** Unix milliseconds; progress not later than the stored one is ignored. Without it the order of arrival decides. */
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

/** The caller has checked accessTo(). Resolves to the row afterwards, even when late; null without such media. */
export const saveProgress = groupWrites<SaveProgress, SavedView | null>({
  keyOf,
  async write(reports) {
    const rows = await db.execute<SavedView>(statement(reports));
    const saved = new Map(rows.map((row) => [keyOf(row), row]));
    return reports.map((report) => saved.get(keyOf(report)) ?? null);
  },
});

function keyOf({ userId, mediaId }: { userId: string; mediaId: string }): string {
  return `${userId} ${mediaId}`.toLowerCase();
}

const row = sql`v.id, v.media_id AS "mediaId", v.user_id AS "userId", v.progress,
  v.completed_at IS NOT NULL AS "isCompleted"`;

/** Two groups lock rows in the same order, or they would deadlock: those of views by their key, then those of media by their id. */
function statement(reports: SaveProgress[]): SQL {
  const sent = reports.map(({ userId, mediaId, progress, sequence }) => {
    return { userId, mediaId, progress, sequence: sequence && Math.floor(sequence) };
  });
  // A clock ahead of ours must not lock the other devices out.
  return sql`
    WITH given AS MATERIALIZED (
      SELECT "userId" AS user_id, m.id AS media_id, least(sequence, ${nowMs}) AS sequence, p.progress,
        ${isEarly} AS is_early, ${isDone} AS is_done,
        p.progress <= COALESCE(m.duration_seconds, m.photo_count, 0) / 2.0 AS is_first_half,
        m.type = 'video' AS is_video, sequence IS NULL AS is_untimed
      FROM jsonb_to_recordset(${JSON.stringify(sent)}::text::jsonb) AS sent
        ("userId" uuid, "mediaId" uuid, progress float8, sequence bigint)
      JOIN media m ON m.id = "mediaId", LATERAL (
        SELECT least(greatest(sent.progress, 0), COALESCE(m.duration_seconds, m.photo_count, 0)) AS progress
      ) p
    ), paused AS (
      SELECT user_id, media_id FROM views JOIN given USING (user_id, media_id)
      WHERE last_viewed_at < now() - ${PLAY_PAUSE}
    ), saved AS (
      INSERT INTO views AS v (media_id, user_id, progress, sequence, completed_at)
      SELECT media_id, user_id, progress, sequence, CASE WHEN is_done THEN now() END FROM given
      ORDER BY user_id, media_id
      ON CONFLICT (user_id, media_id) DO UPDATE SET
        sequence = excluded.sequence,
        progress = CASE WHEN ${keepsProgress} THEN v.progress ELSE excluded.progress END,
        completed_at = CASE
          WHEN ${ofGiven(sql`is_done`)} THEN COALESCE(v.completed_at, now())
          WHEN ${staysDone} THEN v.completed_at
        END,
        play_count = v.play_count + CASE WHEN v.last_viewed_at < now() - ${PLAY_PAUSE} THEN 1 ELSE 0 END,
        last_viewed_at = now(),
        hidden_at = NULL
      WHERE excluded.sequence > v.sequence
        OR (excluded.sequence = v.sequence AND ${ofGiven(sql`is_untimed`)})
      RETURNING ${row}, v.user_id, v.media_id, v.xmax = 0 AS is_new
    ), plays AS (
      SELECT media_id, count(*)::int AS plays FROM saved LEFT JOIN paused USING (user_id, media_id)
      WHERE is_new OR paused.user_id IS NOT NULL
      GROUP BY media_id
    ), locked AS (
      SELECT id FROM media WHERE id IN (SELECT media_id FROM plays) ORDER BY id FOR NO KEY UPDATE
    ), counted AS (
      UPDATE media m SET play_count = m.play_count + plays
      FROM plays JOIN locked ON locked.id = media_id WHERE m.id = media_id
    )
    SELECT id, "mediaId", "userId", progress, "isCompleted" FROM saved
    UNION ALL
    SELECT ${row} FROM views v JOIN given USING (user_id, media_id)
    WHERE (user_id, media_id) NOT IN (SELECT user_id, media_id FROM saved)`;
}

const isEarly: SQL = sql`CASE m.type WHEN 'video' THEN p.progress < ${EARLY_SECONDS} ELSE p.progress <= 1 END`;
const isDone: SQL = sql`CASE m.type
  WHEN 'video' THEN p.progress >= m.duration_seconds * ${DONE_PART}::float8
    OR (m.duration_seconds >= ${DONE_LAST_SECONDS_FROM} AND m.duration_seconds - p.progress <= ${DONE_LAST_SECONDS})
  ELSE p.progress >= m.photo_count END`;

function ofGiven(fact: SQL): SQL {
  return sql`(SELECT ${fact} FROM given WHERE given.user_id = v.user_id AND given.media_id = v.media_id)`;
}

/** A completed view is reopened by playing its first half again, not by a look at its beginning. */
const staysDone: SQL = sql`v.completed_at IS NOT NULL AND ${ofGiven(sql`is_early OR NOT is_first_half`)}`;
const keepsProgress: SQL = sql`NOT ${ofGiven(sql`is_done`)} AND (
  ${staysDone} OR (v.completed_at IS NULL AND v.progress > ${KEPT_SECONDS}
    AND ${ofGiven(sql`is_early AND is_video`)}))`;
