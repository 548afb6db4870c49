import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { ACCESSES } from "#app/domain/access/access.ts";
import { fixedSql } from "#db/fixed-sql.ts";
import { flag } from "#db/rows.ts";

/** For a row `m` of media: published and inside its dates, by the database's clock. The rules are in the migrations. */
export const isLive = sql`is_live(m)`;

/** Published, and past its last day, for a row `m` of media. */
export const isExpired = sql`COALESCE(has_expired(m), false)`;

/** Taken down, and perhaps deleted since, for a row `m` of media. */
export const isTakenDown = sql`(m.status IN ('takenDown', 'deleted'))`;

/** For a row `f` of media_files: no other file has taken its place. */
export const isLatest = sql`f.retired_at IS NULL`;

/** Has what a visitor would watch or look at, for a row `m` of media. */
export const hasContents = sql`CASE m.type
  WHEN 'video' THEN EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND f.content_type LIKE 'video/%' AND ${isLatest})
  ELSE EXISTS (SELECT FROM photos p WHERE p.media_id = m.id AND p.position IS NOT NULL) END`;

export const AccessColumns = z.object({
  access: z.enum(ACCESSES),
  allowDownload: flag,
  isLive: flag,
  isTakenDown: flag,
});
export const accessColumns =
  fixedSql(sql`m.access, m.allow_download AS "allowDownload", ${isLive} AS "isLive",
  ${isTakenDown} AS "isTakenDown"`);

/** For a row `c` of creators: has a live item as last counted. Must match the index creators_works. */
export const hasPublished = published(sql`c`);

export function published(creator: SQL): SQL {
  return sql`(${creator}.video_count + ${creator}.photo_set_count) > 0`;
}
