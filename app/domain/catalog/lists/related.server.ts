import { type SQL, sql } from "drizzle-orm";
import type { AccessViewer } from "#app/domain/access/access.ts";
import { db } from "#db/client.server.ts";
import type { MediaCardView } from "../cards/card.ts";
import { cardColumns } from "../cards/card-rows.server.ts";
import { type CardRow, mediaCardView } from "../cards/card-view.ts";
import type { MediaRecord } from "../media/media.server.ts";
import { isLive, isLiveTerm } from "../media/visibility.server.ts";

const SHOOT_SHOWN = 4;
const RELATED_SHOWN = 4;
/** Per creator and tag, so that the cost does not grow with the library. */
const WEIGHED = 60;

export interface RelatedMedia {
  shoot: MediaCardView[];
  related: MediaCardView[];
}

export async function findRelated(
  viewer: AccessViewer & { user: { id: string } | null },
  media: Pick<MediaRecord, "id" | "type" | "shootId">,
): Promise<RelatedMedia> {
  const viewerId = viewer.user?.id ?? null;
  const inShoot = media.shootId ? sql`m.shoot_id = ${media.shootId}::uuid` : sql`false`;
  const newest = (kind: string, id: SQL) => sql`SELECT t.media_id FROM media_terms t
    WHERE t.term = list_term(${`${kind} `}::text || ${id}) AND t.type = ${media.type} AND ${isLiveTerm}
    ORDER BY t.publish_at DESC LIMIT ${WEIGHED}`;
  const [shoot, related] = await Promise.all([
    db.execute<CardRow>(sql`
      SELECT ${cardColumns(viewerId)} FROM media m
      WHERE ${inShoot} AND m.id <> ${media.id} AND ${isLive}
      ORDER BY m.type <> ${media.type} DESC, m.publish_at DESC, m.id LIMIT ${SHOOT_SHOWN}
    `),
    db.execute<CardRow>(sql`
      WITH weighed AS (
        SELECT near.media_id, 2 AS weight FROM media_creators mine, LATERAL (
          ${newest("creator", sql`mine.creator_id`)}
        ) near WHERE mine.media_id = ${media.id}
        UNION ALL
        SELECT near.media_id, 1 FROM media_tags mine, LATERAL (
          ${newest("tag", sql`mine.tag_id`)}
        ) near WHERE mine.media_id = ${media.id}
      ), scored AS (
        SELECT media_id, sum(weight) AS score FROM weighed WHERE media_id <> ${media.id} GROUP BY media_id
      )
      SELECT ${cardColumns(viewerId)} FROM scored JOIN media m ON m.id = scored.media_id
      WHERE ${isLive} AND NOT COALESCE(${inShoot}, false)
      ORDER BY EXISTS (SELECT FROM views v WHERE v.user_id = ${viewerId}::uuid AND v.media_id = m.id
        AND v.completed_at IS NOT NULL), scored.score DESC, m.publish_at DESC, m.id
      LIMIT ${RELATED_SHOWN}
    `),
  ]);
  return {
    shoot: shoot.map((row) => mediaCardView(viewer, row)),
    related: related.map((row) => mediaCardView(viewer, row)),
  };
}
