import { sql } from "drizzle-orm";
import { normalizeName } from "#app/domain/media/item-texts.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { compareEdits } from "#app/domain/staff/compare-edits.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { keepFormerSlug } from "../../media/former-slugs.server.ts";
import { lockNames, tagSlug } from "../../media/names.server.ts";
import { UUID } from "../../media/served-file.server.ts";
import type { IdOrProblem } from "../item/change-item.server.ts";
import type { SaveRefusal, SaveResult } from "../item/edit-media.server.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { nameError } from "./creator-sections.ts";
import { countedWorks } from "./edit-creators.server.ts";
import { beginChange, countCarriers, followAtOnce, openProblem } from "./name-changes.server.ts";

const NO_TAG = "There is no such tag.";

export interface EditableTag {
  id: string;
  name: string;
  slug: string;
  /** Items that are not deleted, published or not. */
  works: number;
}

/** Null when there is none. */
export async function findEditableTag(id: string): Promise<EditableTag | null> {
  if (!UUID.test(id)) return null;
  const [row] = await db.execute<EditableTag & Record<string, unknown>>(
    sql`SELECT id, name, slug, ${countedWorks("tag", id)} AS works FROM tags WHERE id = ${id}`,
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
  const saved: Followed | SaveRefusal = await db.transaction(async (tx) => {
    await lockNames(tx, "tag");
    const tag = await lockTag(tx, id);
    if (tag === null) return refused("form", NO_TAG);
    const open = await openProblem(tx, "tag", id, { mayBeTarget: true });
    if (open !== null) return refused("form", open);
    const { changed, conflicts } = compareEdits(opened, { name: tag.name }, sent);
    if (conflicts.length > 0) return { saved: false, conflicts };
    if (!("name" in changed)) return { followed: null };
    const [wrong] = Object.values(nameError(sent.name));
    if (wrong !== undefined) return refused("name", wrong);
    const slug = tagSlug(sent.name);
    const [other] = await tx.execute<{ name: string }>(sql`
      SELECT name FROM tags WHERE id <> ${id} AND (slug = ${slug} OR lower(name) = lower(${sent.name})) LIMIT 1`);
    if (other) return refused("name", `“${other.name}” is a tag already. Merge the two instead.`);
    await tx.execute(sql`UPDATE tags SET name = ${sent.name}, slug = ${slug} WHERE id = ${id}`);
    await keepFormerSlug(tx, "tag", id, { from: tag.slug, to: slug });
    const followed = await beginRename(tx, actor, tag, sent.name);
    await recordAudit(tx, {
      actor,
      action: "tag.renamed",
      subjectKind: "tag",
      subjectId: id,
      subjectName: tag.name,
      before: { name: tag.name },
      after: { name: sent.name },
    });
    return { followed };
  });
  if (!("followed" in saved)) return saved;
  if (saved.followed !== null) await followAtOnce(saved.followed.id, saved.followed.items);
  return { saved: true };
}

type Followed = { followed: { id: string; items: number } | null };

/** Takes the tag from all items, and then removes it. */
export async function deleteTag(actor: Actor, id: string): Promise<IdOrProblem> {
  if (!mayDo(actor, "media.edit")) return { id: null, problem: NOT_ALLOWED };
  if (!UUID.test(id)) return { id: null, problem: NO_TAG };
  const begun = await db.transaction(async (tx) => {
    const tag = await lockTag(tx, id);
    const problem = tag === null ? NO_TAG : await openProblem(tx, "tag", id, { mayBeTarget: false });
    if (tag === null || problem !== null) return problem ?? NO_TAG;
    const items = await countCarriers(tx, "tag", id);
    const names = { subjectName: tag.name, targetId: null, targetName: null };
    const change = await beginChange(tx, actor, {
      ...{ kind: "tag", action: "delete", subjectId: id, items },
      ...names,
    });
    await recordAudit(tx, {
      actor,
      action: "tag.deleted",
      subjectKind: "tag",
      subjectId: id,
      subjectName: tag.name,
      before: { name: tag.name },
      after: { items },
    });
    return { id: change, items };
  });
  if (typeof begun === "string") return { id: null, problem: begun };
  await followAtOnce(begun.id, begun.items);
  return { id: begun.id, problem: null };
}

interface LockedTag extends Record<string, unknown> {
  id: string;
  name: string;
  slug: string;
}

/** As lockCreator(). */
async function lockTag(tx: Transaction, id: string): Promise<LockedTag | null> {
  const [tag] = await tx.execute<LockedTag>(sql`SELECT id, name, slug FROM tags WHERE id = ${id} FOR UPDATE`);
  return tag ?? null;
}

/** Null when no item has to follow. */
async function beginRename(
  tx: Transaction,
  actor: Actor,
  { id, name }: LockedTag,
  targetName: string,
): Promise<Followed["followed"]> {
  const items = await countCarriers(tx, "tag", id);
  if (items === 0) return null;
  const change = await beginChange(tx, actor, {
    ...{ kind: "tag", action: "rename", subjectId: id, items },
    ...{ subjectName: name, targetId: null, targetName },
  });
  return { id: change, items };
}

function refused(field: string, sentence: string): SaveRefusal {
  return { saved: false, errors: { [field]: sentence } };
}
