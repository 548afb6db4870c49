import { sql } from "drizzle-orm";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { moveCreatorTotals } from "#app/domain/totals/move-totals.server.ts";
import type { NameKind } from "#app/paths.ts";
import { db, retryDeadlock, type Transaction } from "#db/client.server.ts";
import { number, readOne } from "#db/rows.ts";
import { refreshCounts } from "../../media/counts.server.ts";
import { keepFormerSlug, moveFormerSlugs } from "../../media/former-slugs.server.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { addressesOf, namesParam, removeName } from "./edit-names.server.ts";
import { lockNameRows, NAMES, type NameRow, readNames } from "./name-rows.server.ts";

interface MergedName {
  id: string;
  name: string;
  slug: string;
  works: number;
}

export interface MergePreview {
  subject: MergedName;
  target: MergedName;
  shared: number;
  /** The names that the target gets besides its own. Empty for tags. */
  newAliases: string[];
  losesPortrait: boolean;
  problem: string | null;
}

const SAME = "Choose a different name to merge into.";
const GONE = "One of the two no longer exists.";

/** Says what a merge would do, without writing anything; null when one of the two does not exist. */
export async function previewMerge(
  kind: NameKind,
  subjectId: string,
  targetId: string,
): Promise<MergePreview | null> {
  const [subject, target] = await readNames(db, kind, [subjectId, targetId]);
  if (!subject || !target) return null;
  const { works, id } = NAMES[kind];
  const shared = await readOne(db, number)`
    SELECT count(*)::int FROM ${works} ours JOIN ${works} theirs USING (media_id) JOIN media m ON m.id = media_id
    WHERE ours.${id} = ${subjectId} AND theirs.${id} = ${targetId} AND m.status <> 'deleted'`;
  return {
    subject: nameOf(subject),
    target: nameOf(target),
    shared,
    newAliases: kind === "creator" ? newAliases(subject, target) : [],
    losesPortrait: subject.portrait_key !== null,
    problem: subjectId === targetId ? SAME : null,
  };
}

/** The target gets the works, names and addresses of the other, which is removed. Null when done, otherwise a sentence. */
export async function mergeNames(
  actor: Actor,
  kind: NameKind,
  subjectId: string,
  targetId: string,
): Promise<string | null> {
  if (!mayDo(actor, "media.edit")) return NOT_ALLOWED;
  if (subjectId === targetId) return SAME;
  return retryDeadlock(async (tx) => {
    const [subject, target] = await lockNameRows(tx, kind, [subjectId, targetId]);
    if (!subject || !target) return GONE;
    const items = await moveWorks(tx, kind, subjectId, targetId);
    await moveFormerSlugs(tx, kind, subjectId, targetId);
    // The studio's pages have the id in their address.
    for (const from of [subjectId, ...(await addressesOf(tx, kind, subject))]) {
      await keepFormerSlug(tx, kind, targetId, { from, to: target.slug });
    }
    if (kind === "creator") await mergeCreators(tx, subject, target);
    await removeName(tx, kind, subjectId);
    if (kind === "creator") await refreshCounts([targetId], tx);
    // The entry is about the target, whose page stays. A search finds it by the name that goes.
    await recordAudit(tx, {
      actor,
      action: kind === "creator" ? "creator.merged" : "tag.merged",
      subjectKind: kind,
      subjectId: targetId,
      subjectName: subject.name,
      before: { slug: subject.slug },
      after: { slug: target.slug, into: target.name, items },
    });
    return null;
  });
}

/** Returns the number of items. One that has both keeps the earlier credit. */
async function moveWorks(
  tx: Transaction,
  kind: NameKind,
  subjectId: string,
  targetId: string,
): Promise<number> {
  const { works: rows, id } = NAMES[kind];
  const both = sql`ours.${id} = ${subjectId} AND theirs.${id} = ${targetId} AND theirs.media_id = ours.media_id`;
  if (kind === "creator") {
    await tx.execute(sql`UPDATE media_creators theirs SET position = ours.position FROM media_creators ours
      WHERE ${both} AND ours.position < theirs.position`);
  }
  return readOne(tx, number)`
    WITH shared AS (DELETE FROM ${rows} ours USING ${rows} theirs WHERE ${both} RETURNING ours.media_id),
    moved AS (UPDATE ${rows} ours SET ${id} = ${targetId} WHERE ${id} = ${subjectId}
      AND NOT EXISTS (SELECT FROM ${rows} theirs WHERE ${both}) RETURNING ours.media_id)
    SELECT ((SELECT count(*) FROM shared) + (SELECT count(*) FROM moved))::int AS items`;
}

async function mergeCreators(tx: Transaction, subject: NameRow, target: NameRow): Promise<void> {
  const aliases = [...target.aliases, ...newAliases(subject, target)];
  await tx.execute(sql`UPDATE creators SET aliases = ${namesParam(aliases)} WHERE id = ${target.id}`);
  await moveCreatorTotals(tx, subject.id, target.id);
}

function newAliases(subject: NameRow, target: NameRow): string[] {
  const known = new Set([target.name, ...target.aliases].map((name) => name.toLowerCase()));
  return [subject.name, ...subject.aliases].filter((name) => {
    const isNew = !known.has(name.toLowerCase());
    known.add(name.toLowerCase());
    return isNew;
  });
}

function nameOf({ id, name, slug, works }: NameRow): MergedName {
  return { id, name, slug, works };
}
