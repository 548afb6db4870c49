import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { moveCreatorTotals } from "#app/domain/totals/move-totals.server.ts";
import { db, type Executor, retryDeadlock, type Transaction, uuids } from "#db/client.server.ts";
import { flag, number, readOne, readRows, text } from "#db/rows.ts";
import { refreshCounts } from "../../media/counts.server.ts";
import { keepFormerSlug, moveFormerSlugs, type NameKind } from "../../media/former-slugs.server.ts";
import { ownTagSlug } from "../../media/names.server.ts";
import { UUID } from "../../media/served-file.server.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { countedWorks, removeCreator, texts } from "./edit-creators.server.ts";

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

const Row = z.object({ id: text, name: text, slug: text, aliases: z.array(text), has_portrait: flag });
type Row = z.infer<typeof Row>;

const CARRIED = {
  creator: { rows: sql`media_creators`, id: sql`creator_id` },
  tag: { rows: sql`media_tags`, id: sql`tag_id` },
} satisfies Record<NameKind, { rows: SQL; id: SQL }>;

const SAME = "Choose a different name to merge into.";
const GONE = "One of the two no longer exists.";

const SharedWorks = z.object({ of_subject: number, of_target: number, shared: number });

/** Says what a merge would do, without writing anything; null when one of the two does not exist. */
export async function previewMerge(
  kind: NameKind,
  subjectId: string,
  targetId: string,
): Promise<MergePreview | null> {
  return db.transaction(async (tx) => {
    const pair = await readPair(tx, kind, subjectId, targetId);
    if (pair === null) return null;
    const [subject, target] = pair;
    const { rows, id } = CARRIED[kind];
    const row = await readOne(tx, SharedWorks)`
      SELECT ${countedWorks(kind, sql`${subjectId}::uuid`)} AS of_subject,
        ${countedWorks(kind, sql`${targetId}::uuid`)} AS of_target,
        (SELECT count(*)::int FROM ${rows} ours JOIN ${rows} theirs USING (media_id) JOIN media m ON m.id = media_id
          WHERE ours.${id} = ${subjectId} AND theirs.${id} = ${targetId} AND m.status <> 'deleted') AS shared`;
    return {
      subject: nameOf(subject, row.of_subject),
      target: nameOf(target, row.of_target),
      shared: row.shared,
      newAliases: kind === "creator" ? newAliases(subject, target) : [],
      losesPortrait: subject.has_portrait,
      problem: subjectId === targetId ? SAME : null,
    };
  });
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
    const pair = await readPair(tx, kind, subjectId, targetId, { locks: true });
    if (pair === null) return GONE;
    const [subject, target] = pair;
    const items = await moveWorks(tx, kind, subjectId, targetId);
    await moveFormerSlugs(tx, kind, subjectId, targetId);
    // The studio's pages have the id in their address.
    const ownSlugs = kind === "tag" ? [await ownTagSlug(tx, subject.name)] : [];
    for (const from of [subject.slug, subjectId, ...ownSlugs]) {
      await keepFormerSlug(tx, kind, targetId, { from, to: target.slug });
    }
    if (kind === "tag") await tx.execute(sql`DELETE FROM tags WHERE id = ${subjectId}`);
    else await mergeCreators(tx, subject, target);
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
  const { rows, id } = CARRIED[kind];
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

async function mergeCreators(tx: Transaction, subject: Row, target: Row): Promise<void> {
  const aliases = [...target.aliases, ...newAliases(subject, target)];
  await tx.execute(sql`UPDATE creators SET aliases = ${texts(aliases)} WHERE id = ${target.id}`);
  await moveCreatorTotals(tx, subject.id, target.id);
  await removeCreator(tx, subject.id);
  await refreshCounts([target.id], tx);
}

/** Locked in one order, as lockCreator() locks one. */
async function readPair(
  executor: Executor,
  kind: NameKind,
  subjectId: string,
  targetId: string,
  { locks = false } = {},
): Promise<[Row, Row] | null> {
  const ids = [subjectId, targetId];
  if (!ids.every((id) => UUID.test(id))) return null;
  const lock = locks ? sql`FOR UPDATE` : sql``;
  const rows = await readRows(executor, Row)`${
    kind === "creator"
      ? sql`SELECT c.id, c.name, c.slug, to_jsonb(c.aliases) AS aliases,
          EXISTS (SELECT FROM creator_files f WHERE f.creator_id = c.id) AS has_portrait
        FROM creators c WHERE c.id = ANY(${uuids(ids)}) ORDER BY c.id ${lock}`
      : sql`SELECT t.id, t.name, t.slug, '[]'::jsonb AS aliases, false AS has_portrait
        FROM tags t WHERE t.id = ANY(${uuids(ids)}) ORDER BY t.id ${lock}`
  }`;
  const [subject, target] = ids.map((id) => rows.find((row) => row.id === id));
  return subject && target ? [subject, target] : null;
}

function newAliases(subject: Row, target: Row): string[] {
  const known = new Set([target.name, ...target.aliases].map((name) => name.toLowerCase()));
  return [subject.name, ...subject.aliases].filter((name) => {
    const isNew = !known.has(name.toLowerCase());
    known.add(name.toLowerCase());
    return isNew;
  });
}

function nameOf({ id, name, slug }: Row, works: number): MergedName {
  return { id, name, slug, works };
}
