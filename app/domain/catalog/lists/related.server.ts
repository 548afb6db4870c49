import { type SQL, sql } from "drizzle-orm";
import type { AccessViewer } from "#app/domain/access/access.ts";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { type CardRow, cardColumns, type MediaCardView, mediaCardView } from "../cards/cards.server.ts";
import { shortIdFromSlug } from "../media/short-id.ts";
import { isLive } from "../media/visibility.server.ts";
import { createSignedOutCache } from "./cache.server.ts";

const SHOOT_SHOWN = 4;
const RELATED_SHOWN = 4;
/** Per creator and tag, so that the cost does not grow with the library. */
const WEIGHED = 60;

type RelatedRow = CardRow & {
  in_shoot: boolean;
};

type RelatedViewer = AccessViewer & { user: { id: string } | null };

export interface RelatedMedia {
  shoot: MediaCardView[];
  related: MediaCardView[];
}

const shared = createSignedOutCache<RelatedMedia>();

export function findRelated(viewer: RelatedViewer, type: MediaType, slug: string): Promise<RelatedMedia> {
  return shared(viewer, [type, slug], () => readRelated(viewer, type, slug));
}

/**
 * The next video of the shoot that this viewer may watch, else the one most alike by one of its creators; null when they
 * have seen all of these. Two videos that name each other would play in turns for ever.
 */
export function nextVideo(
  creators: { slug: string }[],
  { shoot, related }: RelatedMedia,
): { slug: string; title: string } | null {
  const isByOne = (card: MediaCardView) =>
    card.creators.some((one) => creators.some(({ slug }) => slug === one.slug));
  const next = [...shoot, ...related.filter(isByOne)].find(
    ({ type, isLocked, isCompleted }) => type === "video" && !isLocked && !isCompleted,
  );
  return next ? { slug: next.slug, title: next.title } : null;
}

async function readRelated(viewer: RelatedViewer, type: MediaType, slug: string): Promise<RelatedMedia> {
  const viewerId = viewer.user?.id ?? null;
  const newest = (kind: string, id: SQL) =>
    sql`newest_of_term(list_term(${`${kind} `}::text || ${id}), ${type}, ${WEIGHED})`;
  const rows = await db.execute<RelatedRow>(sql`
    WITH self AS MATERIALIZED (
      SELECT id, shoot_id FROM media WHERE short_id = ${shortIdFromSlug(slug)} AND type = ${type}
    ), shoot AS (
      SELECT m.id, row_number() OVER (ORDER BY m.type <> ${type} DESC, m.publish_at DESC, m.id) AS position
      FROM self JOIN media m ON m.shoot_id = self.shoot_id AND m.id <> self.id
      WHERE ${isLive} ORDER BY position LIMIT ${SHOOT_SHOWN}
    ), weighed AS (
      SELECT near.media_id, 2 AS weight FROM self JOIN media_creators mine ON mine.media_id = self.id,
        ${newest("creator", sql`mine.creator_id`)} near(media_id)
      UNION ALL
      SELECT near.media_id, 1 FROM self JOIN media_tags mine ON mine.media_id = self.id,
        ${newest("tag", sql`mine.tag_id`)} near(media_id)
    ), scored AS (
      SELECT media_id, sum(weight) AS score FROM weighed WHERE media_id <> (SELECT id FROM self) GROUP BY media_id
    ), related AS (
      SELECT m.id, row_number() OVER (ORDER BY EXISTS (SELECT FROM views v WHERE v.user_id = ${viewerId}::uuid
        AND v.media_id = m.id AND v.completed_at IS NOT NULL), scored.score DESC, m.publish_at DESC, m.id) AS position
      FROM scored JOIN media m ON m.id = scored.media_id
      WHERE ${isLive} AND NOT COALESCE(m.shoot_id = (SELECT shoot_id FROM self), false)
      ORDER BY position LIMIT ${RELATED_SHOWN}
    ), shown AS (
      SELECT id, position, true AS in_shoot FROM shoot UNION ALL SELECT id, position, false FROM related
    )
    SELECT ${cardColumns(viewerId)}, shown.in_shoot FROM shown JOIN media m ON m.id = shown.id ORDER BY shown.position
  `);
  const cards = (inShoot: boolean) =>
    rows.filter(({ in_shoot }) => in_shoot === inShoot).map((row) => mediaCardView(viewer, row));
  return { shoot: cards(true), related: cards(false) };
}
