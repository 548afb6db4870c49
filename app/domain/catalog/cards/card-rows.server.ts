import { type SQL, sql } from "drizzle-orm";
import { ownColumns } from "../media/own-columns.server.ts";
import { isLive, isWithdrawn } from "../media/visibility.server.ts";

export function cardColumns(viewerId: string | null): SQL {
  return sql`m.id, m.type, m.slug, m.title, m.access, m.duration_seconds, m.photo_count, m.color,
    ${isLive} AS is_live, ${isWithdrawn} AS is_withdrawn,
    COALESCE((
      SELECT jsonb_agg(jsonb_build_object('slug', c.slug, 'name', c.name) ORDER BY mc.position, c.name)
      FROM media_creators mc JOIN creators c ON c.id = mc.creator_id WHERE mc.media_id = m.id
    ), '[]') AS creators, ${ownColumns(viewerId)}`;
}
