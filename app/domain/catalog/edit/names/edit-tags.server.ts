import { sql } from "drizzle-orm";
import { z } from "zod";
import { normalizeName } from "#app/domain/media/item-texts.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { compareEdits } from "#app/domain/staff/compare-edits.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { quoted } from "#app/texts.ts";
import { db, retryDeadlock, type Transaction } from "#db/client.server.ts";
import { number, readOne, readRow, text } from "#db/rows.ts";
import { dropFormerSlugs, keepFormerSlug } from "../../media/former-slugs.server.ts";
import { freeTagSlug, isTagNamed, lockNames, ownTagSlug } from "../../media/names.server.ts";
import { UUID } from "../../media/served-file.server.ts";
import { refused, type SaveResult } from "../item/edit-media.server.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { nameError } from "./creator-sections.ts";
import { countedWorks } from "./edit-creators.server.ts";

const NO_TAG = "There is no such tag.";

const LockedTag = z.object({ id: text, name: text, slug: text });
const EditableTag = LockedTag.extend({ works: number });
export type EditableTag = z.infer<typeof EditableTag>;

export async function findEditableTag(id: string): Promise<EditableTag | null> {
  if (!UUID.test(id)) return null;
  return readRow(db, EditableTag)`
    SELECT id, name, slug, ${countedWorks("tag", sql`${id}::uuid`)} AS works FROM tags WHERE id = ${id}`;
}

/** Saves like saveSection() of an item. The address follows the name, and the earlier address leads to the new one. */
export async function renameTag(
  actor: Actor,
  id: string,
  opened: { name: string },
  wanted: { name: string },
): Promise<SaveResult> {
  if (!mayDo(actor, "media.edit")) return refused(NOT_ALLOWED);
  if (!UUID.test(id)) return refused(NO_TAG);
  const sent = { name: normalizeName(wanted.name) };
  return db.transaction(async (tx): Promise<SaveResult> => {
    await lockNames(tx, "tag");
    const tag = await lockTag(tx, id);
    if (tag === null) return refused(NO_TAG);
    const { changed, conflicts } = compareEdits(opened, { name: tag.name }, sent);
    if (conflicts.length > 0) return { saved: false, conflicts };
    if (!("name" in changed)) return { saved: true };
    const [wrong] = Object.values(nameError(sent.name));
    if (wrong !== undefined) return refused(wrong, "name");
    const other = await readRow(tx, text)`
      SELECT name FROM tags WHERE id <> ${id} AND ${isTagNamed(sent.name)} LIMIT 1`;
    if (other !== null) return refused(`${quoted(other)} is already a tag. Merge the two instead.`, "name");
    const slug = await freeTagSlug(tx, sent.name, sql`SELECT slug FROM tags WHERE id <> ${id}`);
    await tx.execute(sql`UPDATE tags SET name = ${sent.name}, slug = ${slug} WHERE id = ${id}`);
    for (const from of [tag.slug, await ownTagSlug(tx, tag.name)])
      await keepFormerSlug(tx, "tag", id, { from, to: slug });
    await recordAudit(tx, {
      actor,
      action: "tag.renamed",
      subjectKind: "tag",
      subjectId: id,
      subjectName: tag.name,
      before: { name: tag.name },
      after: { name: sent.name },
    });
    return { saved: true };
  });
}

/** Removes the tag from all items. Null when done, otherwise a sentence. */
export async function deleteTag(actor: Actor, id: string): Promise<string | null> {
  if (!mayDo(actor, "media.edit")) return NOT_ALLOWED;
  if (!UUID.test(id)) return NO_TAG;
  return retryDeadlock(async (tx) => {
    const tag = await lockTag(tx, id);
    if (tag === null) return NO_TAG;
    const items = await readOne(tx, number)`SELECT count(*)::int FROM media_tags WHERE tag_id = ${id}`;
    await dropFormerSlugs(tx, "tag", id);
    await tx.execute(sql`DELETE FROM tags WHERE id = ${id}`);
    await recordAudit(tx, {
      actor,
      action: "tag.deleted",
      subjectKind: "tag",
      subjectId: id,
      subjectName: tag.name,
      before: { name: tag.name },
      after: { items },
    });
    return null;
  });
}

function lockTag(tx: Transaction, id: string): Promise<z.infer<typeof LockedTag> | null> {
  return readRow(tx, LockedTag)`SELECT id, name, slug FROM tags WHERE id = ${id} FOR UPDATE`;
}
