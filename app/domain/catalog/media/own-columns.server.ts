import { type SQL, sql } from "drizzle-orm";

export function previousVisit(viewerId: string): SQL {
  return sql`(SELECT previous_visit(last_seen_at, previous_visit_at) FROM users WHERE id = ${viewerId})`;
}

/** The viewer's progress and favorite of a row `m` of media. */
export function ownColumns(viewerId: string | null): SQL {
  if (viewerId === null) {
    return sql`false AS is_new, NULL::float8 AS progress, false AS is_completed, NULL::boolean AS is_favorited`;
  }
  return sql`
    COALESCE(m.publish_at > ${previousVisit(viewerId)}, false) AS is_new,
    (SELECT v.progress FROM views v WHERE v.user_id = ${viewerId} AND v.media_id = m.id) AS progress,
    EXISTS (SELECT FROM views v WHERE v.user_id = ${viewerId} AND v.media_id = m.id
      AND v.completed_at IS NOT NULL) AS is_completed,
    EXISTS (SELECT FROM favorites f WHERE f.user_id = ${viewerId} AND f.media_id = m.id
      AND f.is_favorited) AS is_favorited`;
}
