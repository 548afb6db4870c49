import { sql } from "drizzle-orm";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import type { NameKind } from "#app/paths.ts";
import { type Transaction, uuids } from "#db/client.server.ts";
import { readRows } from "#db/rows.ts";
import { refreshCounts, refreshCountsOf } from "../../media/counts.server.ts";
import { findOrCreateNames, Named } from "../../media/names.server.ts";
import { mediaSlug } from "../../media/slug.server.ts";
import { type EditedItem, listCredited } from "./items.server.ts";
import { writePhotoRights } from "./photo-rights.server.ts";
import { photoIdOf, type SectionName, type SectionValues } from "./sections.ts";

/** A creator or tag that did not exist before. */
export interface AddedName extends Named {
  kind: NameKind;
}

type Write = {
  [Name in SectionName]: (
    tx: Transaction,
    item: EditedItem,
    changed: Partial<SectionValues[Name]>,
    added: AddedName[],
  ) => Promise<unknown>;
};

/** The item's row must be locked. Resolves with the names that it has made. */
export async function writeFields<Name extends SectionName>(
  tx: Transaction,
  item: EditedItem,
  name: Name,
  changed: Partial<SectionValues[Name]>,
): Promise<AddedName[]> {
  const added: AddedName[] = [];
  await WRITE[name](tx, item, changed, added);
  // Not now(): the transaction may have waited for the row.
  await tx.execute(sql`UPDATE media SET updated_at = clock_timestamp() WHERE id = ${item.id}`);
  return added;
}

/** The log of writeFields(). `stored`: the values before it; `added`: its result. */
export async function recordEdit(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  changed: object,
  stored: object,
  added: AddedName[] = [],
): Promise<void> {
  const before: Record<string, unknown> = { ...stored };
  await recordAudit(tx, {
    actor,
    action: "media.edited",
    subjectKind: "media",
    subjectId: item.id,
    subjectName: item.title,
    before: Object.fromEntries(Object.keys(changed).map((field) => [field, before[field]])),
    after: changed,
  });
  // As addCreator() does. Nothing logs a new tag.
  for (const { id, name } of added.filter(({ kind }) => kind === "creator")) {
    await recordAudit(tx, {
      ...{ actor, action: "creator.created", subjectKind: "creator", subjectId: id, subjectName: name },
    });
  }
}

const WRITE: Write = {
  // Every address ends with the short id, so earlier ones still lead here.
  text: (tx, item, { title = item.title, description = item.description }) =>
    tx.execute(sql`UPDATE media SET title = ${title}, description = ${description},
      slug = ${title === item.title ? item.slug : mediaSlug(title, item.shortId)} WHERE id = ${item.id}`),
  credits: (tx, item, { creators }, added) => writeCredits(tx, item.id, creators ?? item.creators, added),
  tags: (tx, item, { tags }, added) => writeTags(tx, item.id, tags ?? item.tags, added),
  dates: async (tx, item, changed) => {
    const { producedOn = item.producedOn, expireAt = item.expireAt?.toISOString() ?? null } = changed;
    await tx.execute(sql`UPDATE media SET produced_on = ${producedOn}::date, expire_at = ${expireAt}::timestamptz
      WHERE id = ${item.id}`);
    if ("expireAt" in changed) await refreshCountsOf([item.id], tx);
  },
  access: (tx, item, { access = item.access, allowDownload = item.allowDownload }) =>
    tx.execute(
      sql`UPDATE media SET access = ${access}, allow_download = ${allowDownload} WHERE id = ${item.id}`,
    ),
  shoot: (tx, item, { shoot = item.shootId }) =>
    tx.execute(sql`UPDATE media SET shoot_id = ${shoot} WHERE id = ${item.id}`),
  chapters: (tx, item, { chapters = item.chapters }) =>
    tx.execute(
      sql`UPDATE videos SET markers = ${JSON.stringify(chapters)}::jsonb WHERE media_id = ${item.id}`,
    ),
  photos: writePhotos,
};

async function writeCredits(
  tx: Transaction,
  mediaId: string,
  names: string[],
  added: AddedName[],
): Promise<void> {
  const credited = await listCredited(mediaId, tx);
  const ids = await idsOf(tx, "creator", names, { present: credited, added });
  await tx.execute(
    sql`DELETE FROM media_creators WHERE media_id = ${mediaId} AND creator_id <> ALL(${uuids(ids)})`,
  );
  await tx.execute(sql`
    INSERT INTO media_creators (media_id, creator_id, position)
    SELECT ${mediaId}::uuid, id, position - 1 FROM unnest(${uuids(ids)}) WITH ORDINALITY given(id, position)
    ON CONFLICT (media_id, creator_id) DO UPDATE SET position = excluded.position
      WHERE media_creators.position <> excluded.position`);
  await refreshCounts([...new Set([...ids, ...credited.map(({ id }) => id)])], tx);
}

async function writeTags(
  tx: Transaction,
  mediaId: string,
  names: string[],
  added: AddedName[],
): Promise<void> {
  const tagged = await readRows(tx, Named)`
    SELECT t.id, t.name FROM media_tags mt JOIN tags t ON t.id = mt.tag_id WHERE mt.media_id = ${mediaId}`;
  const ids = await idsOf(tx, "tag", names, { present: tagged, added });
  await tx.execute(sql`DELETE FROM media_tags WHERE media_id = ${mediaId} AND tag_id <> ALL(${uuids(ids)})`);
  await tx.execute(sql`INSERT INTO media_tags (media_id, tag_id) SELECT ${mediaId}::uuid, unnest(${uuids(ids)})
    ON CONFLICT DO NOTHING`);
}

/** A name that the item already has keeps its creator, because two creators can share a name. */
async function idsOf(
  tx: Transaction,
  kind: NameKind,
  names: string[],
  { present, added }: { present: Named[]; added: AddedName[] },
): Promise<string[]> {
  const own = new Map(
    names.map((name) => [name, present.find((each) => each.name.toLowerCase() === name.toLowerCase())?.id]),
  );
  const others = names.filter((name) => own.get(name) === undefined);
  const found = await findOrCreateNames(tx, kind, others);
  added.push(...found.added.map((each) => ({ kind, ...each })));
  return [...new Set(names.flatMap((name) => own.get(name) ?? found.ids[others.indexOf(name)] ?? []))];
}

async function writePhotos(
  tx: Transaction,
  { id: mediaId }: EditedItem,
  changed: Partial<SectionValues["photos"]>,
): Promise<void> {
  for (const [field, value] of Object.entries(changed)) {
    const photoId = photoIdOf(field);
    const set = typeof value === "string" ? sql`alt = ${value}` : sql`is_preview = ${value}`;
    await tx.execute(sql`UPDATE photos SET ${set} WHERE id = ${photoId} AND media_id = ${mediaId}`);
  }
  await writePhotoRights(tx, mediaId);
}
