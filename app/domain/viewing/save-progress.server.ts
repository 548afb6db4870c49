import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { extent } from "#app/domain/catalog/media/media.server.ts";
import { db } from "#db/client.server.ts";
import { nowMs } from "#db/clock.server.ts";
import { flag, number, readRow, text } from "#db/rows.ts";
import {
  COMPLETED_LAST_FROM_SECONDS,
  COMPLETED_LAST_SECONDS,
  COMPLETED_PART,
  EARLY_SECONDS,
  KEPT_SECONDS,
} from "./progress-rules.ts";

const PLAY_PAUSE = sql`interval '1 hour'`;

export interface ProgressReport {
  userId: string;
  mediaId: string;
  /** Seconds of a video, or the position of a photo. */
  progress: number;
  /** Milliseconds since 1970 in the server's time. A late report is ignored; without a sequence the order of arrival decides. */
  sequence?: number | undefined;
}

/** Named as in the specification, plus `isCompleted`. */
const SavedView = z.object({ id: text, mediaId: text, userId: text, progress: number, isCompleted: flag });
export type SavedView = z.infer<typeof SavedView>;

/** The caller has checked the access. Returns the row afterwards, also when the report came late; null for an unknown item. */
export async function saveProgress(report: ProgressReport): Promise<SavedView | null> {
  const saved = await readRow(db, SavedView)`${saveStatement(report)}`;
  if (saved) return saved;
  const { userId, mediaId } = report;
  return readRow(db, SavedView)`
    SELECT ${savedColumns} FROM views v WHERE v.user_id = ${userId} AND v.media_id = ${mediaId}`;
}

const savedColumns = sql`v.id, v.media_id AS "mediaId", v.user_id AS "userId", v.progress,
  v.completed_at IS NOT NULL AS "isCompleted"`;

/** One upsert applies every rule (decision 060). A late report returns no row. */
function saveStatement({ userId, mediaId, progress, sequence }: ProgressReport): SQL {
  const sentAt = sequence === undefined ? null : Math.floor(sequence);
  return sql`
    WITH previous AS MATERIALIZED (
      SELECT last_viewed_at < now() - ${PLAY_PAUSE} AS is_next_play, reported_progress, play_count, completed_play,
        extract(epoch FROM now() - last_viewed_at)::float8 AS seconds_since
      FROM views
      -- One of two reports at once counts the play.
      WHERE user_id = ${userId} AND media_id = ${mediaId} FOR NO KEY UPDATE
    ), report AS MATERIALIZED (
      -- A clock ahead of ours must not lock the other devices out.
      SELECT m.id AS media_id, least(${sentAt}::bigint, ${nowMs}) AS sequence, p.progress,
        ${isEarly} AS is_early, ${isAtEnd} AS is_at_end,
        p.progress <= ${extent} / 2.0 AS is_first_half,
        m.type = 'video' AS is_video, ${sentAt}::bigint IS NULL AS has_no_sequence,
        COALESCE(previous.is_next_play, false) AS is_next_play, ${watched} AS watched,
        COALESCE(${isAtEnd} AND previous.completed_play < previous.play_count + previous.is_next_play::int, false)
          AS completes_play
      FROM media m LEFT JOIN previous ON true, LATERAL (
        SELECT least(greatest(${progress}::float8, 0), ${extent}) AS progress
      ) p
      WHERE m.id = ${mediaId}
    ), saved AS (
      INSERT INTO views AS v (media_id, user_id, progress, reported_progress, sequence, completed_at, completed_play)
      SELECT media_id, ${userId}::uuid, progress, progress, sequence, CASE WHEN is_at_end THEN now() END, is_at_end::int
      FROM report
      ON CONFLICT (user_id, media_id) DO UPDATE SET
        sequence = excluded.sequence,
        progress = CASE WHEN ${keepsProgress} THEN v.progress ELSE excluded.progress END,
        reported_progress = excluded.reported_progress,
        completed_at = CASE
          WHEN ${ofReport(sql`is_at_end`)} THEN COALESCE(v.completed_at, now())
          WHEN ${staysCompleted} THEN v.completed_at
        END,
        play_count = v.play_count + ${ofReport(sql`is_next_play::int`)},
        completed_play = CASE WHEN ${ofReport(sql`completes_play`)}
          THEN v.play_count + ${ofReport(sql`is_next_play::int`)} ELSE v.completed_play END,
        last_viewed_at = now(),
        hidden_at = NULL
      WHERE excluded.sequence > v.sequence
        OR (excluded.sequence = v.sequence AND ${ofReport(sql`has_no_sequence`)})
      RETURNING ${savedColumns}, v.xmax = 0 AS is_new
    ), played AS (
      UPDATE media m SET play_count = play_count + 1
      FROM saved, report WHERE m.id = ${mediaId} AND (is_new OR is_next_play)
    ), counted AS (
      INSERT INTO media_counts AS c (media_id, watched_seconds, completions)
      SELECT media_id, watched, (completes_play OR (is_new AND is_at_end))::int FROM saved, report
      WHERE watched > 0 OR completes_play OR (is_new AND is_at_end)
      ON CONFLICT (media_id) DO UPDATE SET watched_seconds = c.watched_seconds + excluded.watched_seconds,
        completions = c.completions + excluded.completions
    )
    SELECT id, "mediaId", "userId", progress, "isCompleted" FROM saved`;
}

const isEarly: SQL = sql`CASE m.type WHEN 'video' THEN p.progress < ${EARLY_SECONDS} ELSE p.progress <= 1 END`;
const isAtEnd: SQL = sql`COALESCE(CASE m.type
  WHEN 'video' THEN p.progress >= m.duration_seconds * ${COMPLETED_PART}::float8
    OR (m.duration_seconds >= ${COMPLETED_LAST_FROM_SECONDS} AND m.duration_seconds - p.progress <= ${COMPLETED_LAST_SECONDS})
  ELSE p.progress >= m.photo_count END, false)`;

/** Seconds: no more than have passed since the last report of this play, nor than it has moved since then. */
const watched: SQL = sql`CASE WHEN m.type = 'video' AND NOT COALESCE(previous.is_next_play, true)
  THEN greatest(least(p.progress - previous.reported_progress, previous.seconds_since), 0) ELSE 0 END`;

function ofReport(fact: SQL): SQL {
  return sql`(SELECT ${fact} FROM report)`;
}

/** A completed view is reopened by playing its first half again, not by a look at its beginning. */
const staysCompleted: SQL = sql`v.completed_at IS NOT NULL AND ${ofReport(sql`is_early OR NOT is_first_half`)}`;
const keepsProgress: SQL = sql`NOT ${ofReport(sql`is_at_end`)} AND (
  ${staysCompleted} OR (v.completed_at IS NULL AND v.progress > ${KEPT_SECONDS}
    AND ${ofReport(sql`is_early AND is_video`)}))`;
