import { sql } from "drizzle-orm";
import { normalizeName } from "#app/domain/media/item-texts.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { compareEdits } from "#app/domain/staff/compare-edits.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, retryDeadlock, type Transaction } from "#db/client.server.ts";
import { dropFormerSlugs, keepFormerSlug } from "../../media/former-slugs.server.ts";
import { lockNames, tagSlug } from "../../media/names.server.ts";
import { UUID } from "../../media/served-file.server.ts";
import type { SaveResult } from "../item/edit-media.server.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { nameError } from "./creator-sections.ts";
import { countedWorks } from "./edit-creators.server.ts";

const NO_TAG = "There is no such tag.";

export interface EditableTag {
  id: string;
  name: string;
  slug: string;
  works: number;
}

export async function findEditableTag(id: string): Promise<EditableTag | null> {
  if (!UUID.test(id)) return null;
  const [row] = await db.execute<EditableTag & Record<string, unknown>>(
    sql`SELECT id, name, slug, ${countedWorks("tag", sql`${id}::uuid`)} AS works FROM tags WHERE id = ${id}`,
  );
  return row ?? null;
}

/** Saves like saveSection() of an item. The address follows the name, and the earlier one leads to it. */
export async function renameTag(
  actor: Actor,
  id: string,
  opened: { name: string },
  wanted: { name: string },
): Promise<SaveResult> {
  if (!mayDo(actor, "media.edit")) return refused("form", NOT_ALLOWED);
  if (!UUID.test(id)) return refused("form", NO_TAG);
  const sent = { name: normalizeName(wanted.name) };
  return db.transaction(async (tx): Promise<SaveResult> => {
    await lockNames(tx, "tag");
    const tag = await lockTag(tx, id);
    if (tag === null) return refused("form", NO_TAG);
    const { changed, conflicts } = compareEdits(opened, { name: tag.name }, sent);
    if (conflicts.length > 0) return { saved: false, conflicts };
    if (!("name" in changed)) return { saved: true };
    const [wrong] = Object.values(nameError(sent.name));
    if (wrong !== undefined) return refused("name", wrong);
    const slug = tagSlug(sent.name);
    const [other] = await tx.execute<{ name: string }>(sql`
      SELECT name FROM tags WHERE id <> ${id} AND (slug = ${slug} OR lower(name) = lower(${sent.name})) LIMIT 1`);
    if (other) return refused("name", `“${other.name}” is a tag already. Merge the two instead.`);
    await tx.execute(sql`UPDATE tags SET name = ${sent.name}, slug = ${slug} WHERE id = ${id}`);
    await keepFormerSlug(tx, "tag", id, { from: tag.slug, to: slug });
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

/** Takes the tag from all items. Null when it is done, else a sentence. */
export async function deleteTag(actor: Actor, id: string): Promise<string | null> {
  if (!mayDo(actor, "media.edit")) return NOT_ALLOWED;
  if (!UUID.test(id)) return NO_TAG;
  return retryDeadlock(async (tx) => {
    const tag = await lockTag(tx, id);
    if (tag === null) return NO_TAG;
    const [carried] = await tx.execute<{ items: number }>(
      sql`SELECT count(*)::int AS items FROM media_tags WHERE tag_id = ${id}`,
    );
    await dropFormerSlugs(tx, "tag", id);
    await tx.execute(sql`DELETE FROM tags WHERE id = ${id}`);
    await recordAudit(tx, {
      actor,
      action: "tag.deleted",
      subjectKind: "tag",
      subjectId: id,
      subjectName: tag.name,
      before: { name: tag.name },
      after: { items: carried?.items ?? 0 },
    });
    return null;
  });
}

interface LockedTag extends Record<string, unknown> {
  id: string;
  name: string;
  slug: string;
}

async function lockTag(tx: Transaction, id: string): Promise<LockedTag | null> {
  const [tag] = await tx.execute<LockedTag>(sql`SELECT id, name, slug FROM tags WHERE id = ${id} FOR UPDATE`);
  return tag ?? null;
}

function refused(field: string, sentence: string): SaveResult {
  return { saved: false, errors: { [field]: sentence } };
}
