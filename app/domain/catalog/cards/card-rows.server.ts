import { type SQL, sql } from "drizzle-orm";
import { isLive } from "../media/visibility.server.ts";

export function cardColumns(viewerId: string | null): SQL {
  return sql`m.id, m.type, m.slug, m.title, m.access, m.duration_seconds, m.photo_count, m.color,
    ${isLive} AS is_live, m.status = 'withdrawn' AS is_withdrawn,
    COALESCE((
      SELECT jsonb_agg(jsonb_build_object('slug', c.slug, 'name', c.name) ORDER BY mc.position, c.name)
      FROM media_creators mc JOIN creators c ON c.id = mc.creator_id WHERE mc.media_id = m.id
    ), '[]') AS creators, ${ownColumns(viewerId)}`;
}

export function previousVisit(viewerId: string): SQL {
  return sql`(SELECT previous_visit(last_seen_at, previous_visit_at) FROM users WHERE id = ${viewerId})`;
}

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
