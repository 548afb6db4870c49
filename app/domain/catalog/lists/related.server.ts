import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { MediaType, NameKind } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { flag, number, readRows, text } from "#db/rows.ts";
import {
  CardRow,
  type CardViewer,
  cardColumns,
  type MediaCardView,
  mediaCardView,
} from "../cards/cards.server.ts";
import { createCache, createSignedOutCache } from "../media/cache.server.ts";
import { USES } from "../media/counts.server.ts";
import { isCompletedBy } from "../media/media.server.ts";
import { shortIdFromSlug } from "../media/short-id.ts";
import { isLive } from "../media/visibility.server.ts";

const SHOOT_SHOWN = 4;
const RELATED_SHOWN = 4;
/** Per creator and tag, so that the cost does not grow with the library. */
const WEIGHED = 60;
/** The best of them, so that somebody who has watched many still finds new ones. */
const CANDIDATES = 60;
/** Weighing takes most of the time and is the same for everybody. What is no longer live is left out at once. */
const CANDIDATES_LIFETIME_MS = 600_000;
/** A name with this many items is common: see newestWith(). With 50,000 items in all, both ways then take a few milliseconds. */
const COMMON = 2_000;

const RelatedRow = CardRow.extend({
  section: z.enum(["shoot", "related", "next"]),
  is_later: flag,
  has_same_creator: flag,
});
type RelatedRow = z.infer<typeof RelatedRow>;

const Candidate = z.object({ id: text, score: number });

export interface RelatedMedia {
  shoot: MediaCardView[];
  related: MediaCardView[];
  next: { slug: string; title: string } | null;
}

const shared = createSignedOutCache<RelatedMedia>();
const candidatesOf = createCache<z.infer<typeof Candidate>[]>(CANDIDATES_LIFETIME_MS);

export function findRelated(viewer: CardViewer, type: MediaType, slug: string): Promise<RelatedMedia> {
  return shared(viewer, [type, slug], () => readRelated(viewer, type, slug));
}

async function readRelated(viewer: CardViewer, type: MediaType, slug: string): Promise<RelatedMedia> {
  const viewerId = viewer.user?.id ?? null;
  const shortId = shortIdFromSlug(slug) ?? "";
  const candidates = await candidatesOf(`${type} ${shortId}`, () => findCandidates(type, shortId));
  const rows = await readRows(db, RelatedRow)`
    WITH self AS MATERIALIZED (
      SELECT id, shoot_id, publish_at FROM media WHERE short_id = ${shortId} AND type = ${type}
    ), shoot AS (
      SELECT m.id, row_number() OVER (ORDER BY m.type <> ${type} DESC, m.publish_at DESC, m.id) AS position
      FROM self JOIN media m ON m.shoot_id = self.shoot_id AND m.id <> self.id
      WHERE ${isLive} ORDER BY position LIMIT ${SHOOT_SHOWN}
    ), scored AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(candidates)}::jsonb) AS candidate (id uuid, score int)
    ), related AS (
      SELECT m.id, row_number() OVER (ORDER BY ${isCompletedBy(viewerId)},
        scored.score DESC, m.publish_at DESC, m.id) AS position
      FROM scored JOIN media m ON m.id = scored.id
      WHERE ${isLive} AND ${isOfOtherShoot}
      ORDER BY position LIMIT ${RELATED_SHOWN}
    ), next_of_access AS (
      SELECT DISTINCT ON (m.access) m.id, m.publish_at, ${isLater} AS is_later
      FROM self JOIN media m ON m.shoot_id = self.shoot_id AND m.id <> self.id
      WHERE ${isLive} AND ${type} = 'video' AND m.type = 'video' AND NOT ${isCompletedBy(viewerId)}
      ORDER BY m.access, is_later DESC, m.publish_at, m.id
    ), shown AS (
      SELECT id, position, 'shoot' AS section FROM shoot
      UNION ALL SELECT id, row_number() OVER (ORDER BY is_later DESC, publish_at, id), 'next' FROM next_of_access
      UNION ALL SELECT id, position, 'related' FROM related
    )
    SELECT ${cardColumns(viewerId)}, shown.section, ${isLater} AS is_later, EXISTS (SELECT FROM media_creators mine
        JOIN media_creators theirs USING (creator_id) WHERE mine.media_id = self.id AND theirs.media_id = m.id
      ) AS has_same_creator
    FROM self, shown JOIN media m ON m.id = shown.id ORDER BY shown.position
  `;
  const inSection = (section: RelatedRow["section"]) => rows.filter((row) => row.section === section);
  const cards = (section: RelatedRow["section"]) =>
    inSection(section).map((row) => mediaCardView(viewer, row));
  const alike = inSection("related").filter((row) => row.type === type && row.has_same_creator);
  const following = type === "video" ? [...inSection("next"), ...alike] : [];
  const next = following
    // A visitor without an account only goes forward: without a record of what they have seen, two videos that lead to each other
    // would alternate forever.
    .filter((row) => row.is_later || viewerId !== null)
    .map((row) => mediaCardView(viewer, row))
    .find(({ isLocked, isCompleted }) => !isLocked && !isCompleted);
  return {
    shoot: cards("shoot"),
    related: cards("related"),
    next: next ? { slug: next.slug, title: next.title } : null,
  };
}

function findCandidates(type: MediaType, shortId: string) {
  return readRows(db, Candidate)`
    WITH self AS MATERIALIZED (
      SELECT id, shoot_id FROM media WHERE short_id = ${shortId} AND type = ${type}
    ), weighed AS (
      ${newestWith("creator", type)} UNION ALL ${newestWith("tag", type)}
    )
    SELECT m.id, sum(weight)::int AS score FROM weighed JOIN media m ON m.id = media_id
    WHERE m.id <> (SELECT id FROM self) AND ${isOfOtherShoot}
    GROUP BY m.id ORDER BY score DESC, m.publish_at DESC, m.id LIMIT ${CANDIDATES}
  `;
}

/** Where the items of a creator or a tag are found, and how much one in common weighs. */
const NAMED = {
  creator: { weight: 2, names: sql`creators`, rows: sql`media_creators`, id: sql`creator_id` },
  tag: { weight: 1, names: sql`tags`, rows: sql`media_tags`, id: sql`tag_id` },
} satisfies Record<NameKind, { weight: number; names: SQL; rows: SQL; id: SQL }>;

/**
 * Selects the newest items of each creator or tag of `self`. Of a rare name, all items are read and sorted; for a common one,
 * all media are read from the newest on until enough have it. PostgreSQL plans before it knows the names, so subqueries
 * force one way or the other.
 */
function newestWith(kind: NameKind, type: MediaType): SQL {
  const { weight, names, rows, id } = NAMED[kind];
  const uses = USES[kind][type];
  return sql`
    SELECT near.id AS media_id, ${weight}::int AS weight
    FROM self JOIN ${rows} mine ON mine.media_id = self.id JOIN ${names} n ON n.id = mine.${id}
    CROSS JOIN LATERAL (
      (SELECT rare.id FROM (
        SELECT l.media_id AS id, (SELECT m.publish_at FROM media m
          WHERE m.id = l.media_id AND m.type = ${type} AND ${isLive}) AS publish_at
        FROM ${rows} l WHERE l.${id} = n.id AND ${uses} < ${COMMON}
      ) rare WHERE publish_at IS NOT NULL ORDER BY publish_at DESC, id DESC LIMIT ${WEIGHED})
      UNION ALL
      (SELECT m.id FROM media m WHERE ${uses} >= ${COMMON} AND m.type = ${type} AND ${isLive}
        AND COALESCE((SELECT true FROM ${rows} l WHERE l.media_id = m.id AND l.${id} = n.id), false)
        ORDER BY m.publish_at DESC, m.id DESC LIMIT ${WEIGHED})
    ) near`;
}

const isOfOtherShoot = sql`NOT COALESCE(m.shoot_id = (SELECT shoot_id FROM self), false)`;

/** Whether `m` was published after this video. */
const isLater: SQL = sql`COALESCE((m.publish_at, m.id) > (self.publish_at, self.id), false)`;
