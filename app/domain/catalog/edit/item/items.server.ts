import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { ACCESSES } from "#app/domain/access/access.ts";
import { db, type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { flag, number, readRows, text, timestamp } from "#db/rows.ts";
import { mediaStatus, mediaType } from "#db/schema/catalog.ts";
import { creatorNames, Named } from "../../media/names.server.ts";
import { photoFields, photoIdOf, type SectionValues } from "./sections.ts";

export const EditedItem = z.object({
  id: text,
  type: z.enum(mediaType.enumValues),
  shortId: text,
  slug: text,
  title: text,
  description: text,
  creators: z.array(text),
  tags: z.array(text),
  producedOn: text.nullable(),
  publishAt: timestamp.nullable(),
  expireAt: timestamp.nullable(),
  state: z.enum(mediaStatus.enumValues),
  access: z.enum(ACCESSES),
  allowDownload: flag,
  shootId: text.nullable(),
  durationSeconds: number.nullable(),
  photoCount: number.nullable(),
  chapters: z.array(z.object({ atSeconds: number, title: text })),
  updatedAt: timestamp,
});
export type EditedItem = z.infer<typeof EditedItem>;

export async function readItem(executor: Executor, id: string): Promise<EditedItem | null> {
  return (await readItems(executor, [id]))[0] ?? null;
}

export function findEdited(id: string): Promise<EditedItem | null> {
  return readItem(db, id);
}

export function readItems(executor: Executor, ids: string[]): Promise<EditedItem[]> {
  return readRows(executor, EditedItem)`${selectItems(ids)}`;
}

/** The rows of EditedItem, in the order of `ids`. */
export function selectItems(ids: string[]): SQL {
  return sql`
    SELECT m.id, m.type, m.short_id AS "shortId", m.slug, m.title, m.description, m.produced_on::text AS "producedOn",
      m.publish_at AS "publishAt", m.expire_at AS "expireAt", m.status AS state, m.access,
      m.allow_download AS "allowDownload", m.shoot_id AS "shootId", m.duration_seconds AS "durationSeconds",
      m.photo_count AS "photoCount", m.updated_at AS "updatedAt",
      COALESCE((SELECT v.markers FROM videos v WHERE v.media_id = m.id), '[]') AS chapters,
      ${creatorNames} AS creators,
      to_jsonb(ARRAY(SELECT t.name FROM media_tags mt JOIN tags t ON t.id = mt.tag_id
        WHERE mt.media_id = m.id ORDER BY t.name)) AS tags
    FROM unnest(${uuids(ids)}) WITH ORDINALITY wanted(id, position) JOIN media m ON m.id = wanted.id
    ORDER BY wanted.position
  `;
}

export async function listCredited(mediaId: string, executor: Executor = db): Promise<Named[]> {
  return readRows(executor, Named)`
    SELECT c.id, c.name FROM media_creators mc JOIN creators c ON c.id = mc.creator_id
    WHERE mc.media_id = ${mediaId} ORDER BY mc.position, c.name`;
}

/** Always in the same order, to avoid deadlocks. Only the first progress report of a play waits for it. */
export async function lockItems(tx: Transaction, ids: string[]): Promise<void> {
  await tx.execute(sql`SELECT FROM media WHERE id = ANY(${uuids(ids)}) ORDER BY id FOR NO KEY UPDATE`);
}

export function valuesOf(item: EditedItem): Omit<SectionValues, "photos"> {
  return {
    text: { title: item.title, description: item.description },
    credits: { creators: item.creators },
    tags: { tags: item.tags },
    dates: { producedOn: item.producedOn, expireAt: item.expireAt?.toISOString() ?? null },
    access: { access: item.access, allowDownload: item.allowDownload },
    shoot: { shoot: item.shootId },
    chapters: { chapters: item.chapters },
  };
}

const PhotoValues = z.object({ id: text, alt: text, isPreview: flag });

/** `fields`: others than those of the item's photos are left out. */
export async function readPhotoValues(
  executor: Executor,
  mediaId: string,
  fields: string[],
): Promise<SectionValues["photos"]> {
  const ids = [...new Set(fields.flatMap((field) => photoIdOf(field) ?? []))];
  return photoFields(
    await readRows(executor, PhotoValues)`
      SELECT id, alt, is_preview AS "isPreview" FROM photos WHERE media_id = ${mediaId} AND id = ANY(${uuids(ids)})`,
  );
}
