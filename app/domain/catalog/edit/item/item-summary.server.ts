import { sql } from "drizzle-orm";
import { z } from "zod";
import { ACCESSES } from "#app/domain/access/access.ts";
import type { MediaType } from "#app/paths.ts";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { flag, number, readRow, text, timestamp } from "#db/rows.ts";
import { mediaStatus, mediaType } from "#db/schema/catalog.ts";
import { isOpenStep } from "../../media/encoding-work.server.ts";
import { coverVersion } from "../../media/served-file.server.ts";
import { isCaptions } from "../../media/video-contents.server.ts";
import { isExpired } from "../../media/visibility.server.ts";
import { itemProblems, Problems } from "../problems/problems.server.ts";

const ItemSummary = z.object({
  id: text,
  type: z.enum(mediaType.enumValues),
  slug: text,
  title: text,
  state: z.enum(mediaStatus.enumValues),
  isExpired: flag,
  publishAt: timestamp.nullable(),
  durationSeconds: number.nullable(),
  photoCount: number.nullable(),
  color: text,
  coverVersion: number.nullable(),
  problems: Problems,
  publishProblem: text.nullable(),
  hasDescription: flag,
  creators: number,
  tags: number,
  producedOn: text.nullable(),
  expireAt: timestamp.nullable(),
  access: z.enum(ACCESSES),
  allowDownload: flag,
  captions: number,
  chapters: number,
  hasTrailer: flag,
  leftOut: number,
  originals: number,
  /** In percent of its steps; null when nothing is encoded. */
  encoded: number.nullable(),
  /** How its encoding has ended; null when nothing was ever encoded. */
  encodingResult: z.enum(["failed", "done"]).nullable(),
  /** The next newer draft, for a draft and for an item that has just been published or is scheduled. */
  nextDraft: text.nullable(),
  /** How many are newer. */
  draftsLeft: number,
});
export type ItemSummary = z.infer<typeof ItemSummary>;

/** What the pages of an item show beside their form. */
export async function findItemSummary(id: string): Promise<ItemSummary | null> {
  if (!UUID.test(id)) return null;
  return readRow(db, ItemSummary)`
    SELECT m.id, m.type, m.slug, m.title, m.status AS state, ${isExpired} AS "isExpired", m.publish_at AS "publishAt",
      m.duration_seconds AS "durationSeconds", m.photo_count AS "photoCount", m.color,
      ${coverVersion} AS "coverVersion", ${itemProblems} AS problems, m.publish_problem AS "publishProblem",
      m.description <> '' AS "hasDescription",
      (SELECT count(*)::int FROM media_creators mc WHERE mc.media_id = m.id) AS creators,
      (SELECT count(*)::int FROM media_tags mt WHERE mt.media_id = m.id) AS tags,
      m.produced_on::text AS "producedOn", m.expire_at AS "expireAt", m.access, m.allow_download AS "allowDownload",
      (SELECT count(*)::int FROM media_files f WHERE f.media_id = m.id AND ${isCaptions}) AS captions,
      COALESCE((SELECT jsonb_array_length(v.markers) FROM videos v WHERE v.media_id = m.id), 0) AS chapters,
      EXISTS (SELECT FROM media_trailers t WHERE t.media_id = m.id) AS "hasTrailer",
      (SELECT count(*)::int FROM photos p WHERE p.media_id = m.id AND p.position IS NULL) AS "leftOut",
      (SELECT count(*)::int FROM media_originals o WHERE o.media_id = m.id) AS originals,
      (SELECT round(avg(CASE w.state WHEN 'done' THEN 100 ELSE w.percent END))::int FROM media_work w
        WHERE w.media_id = m.id HAVING bool_or(${isOpenStep})) AS encoded,
      (SELECT CASE WHEN bool_or(w.state = 'failed') THEN 'failed' WHEN bool_or(w.state = 'done') THEN 'done' END
        FROM media_work w WHERE w.media_id = m.id) AS "encodingResult",
      CASE WHEN m.status = 'draft' OR m.publish_at > now() - interval '1 hour' THEN (${nextDraft()}) END AS "nextDraft", (SELECT count(*)::int FROM media d WHERE ${isNewerDraft}) AS "draftsLeft"
    FROM media m WHERE m.id = ${id}`;
}

/** For a row `m` of media. */
const isNewerDraft = sql`d.status = 'draft' AND (d.created_at, d.id) > (m.created_at, m.id)`;

const nextDraft = (type: MediaType | null = null) => sql`SELECT d.id FROM media d
  WHERE ${isNewerDraft} AND (${type}::media_type IS NULL OR d.type = ${type}::media_type)
  ORDER BY d.created_at, d.id LIMIT 1`;

export async function findNextDraft(id: string, type: MediaType | null): Promise<string | null> {
  return readRow(db, text.nullable())`SELECT (${nextDraft(type)}) FROM media m WHERE m.id = ${id}`;
}
