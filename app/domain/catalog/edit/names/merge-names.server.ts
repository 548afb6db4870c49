import { sql } from "drizzle-orm";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, type Executor, retryDeadlock, uuids } from "#db/client.server.ts";
import type { NameKind } from "../../media/former-slugs.server.ts";
import { UUID } from "../../media/served-file.server.ts";
import type { IdOrProblem } from "../item/change-item.server.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { countedWorks, texts } from "./edit-creators.server.ts";
import {
  beginChange,
  countCarriers,
  followAtOnce,
  ITEMS_AT_ONCE,
  openProblem,
} from "./name-changes.server.ts";

interface MergedName {
  id: string;
  name: string;
  slug: string;
  /** Items that are not deleted, published or not. */
  works: number;
}

export interface MergePreview {
  subject: MergedName;
  target: MergedName;
  /** Items that have both. */
  shared: number;
  /** The names that the target gets besides its own. Empty for tags. */
  newAliases: string[];
  /** The portrait that goes. */
  losesPortrait: boolean;
  isQueued: boolean;
  /** A sentence: why it cannot be done now. */
  problem: string | null;
}

interface Row extends Record<string, unknown> {
  id: string;
  name: string;
  slug: string;
  aliases: string[];
  has_portrait: boolean;
}

const SAME = "Choose another one to merge into: this is the same.";
const GONE = "One of the two does not exist any more.";

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
    const [row] = await tx.execute<{ of_subject: number; of_target: number; shared: number }>(sql`
      SELECT ${countedWorks(kind, subjectId)} AS of_subject, ${countedWorks(kind, targetId)} AS of_target,
        (SELECT count(*)::int FROM studio_terms a JOIN studio_terms b USING (media_id)
          WHERE a.term = list_term(${`${kind} ${subjectId}`}) AND b.term = list_term(${`${kind} ${targetId}`})) AS shared`);
    const problem =
      subjectId === targetId
        ? SAME
        : ((await openProblem(tx, kind, subjectId, { mayBeTarget: false })) ??
          (await openProblem(tx, kind, targetId, { mayBeTarget: true })));
    return {
      subject: nameOf(subject, row?.of_subject ?? 0),
      target: nameOf(target, row?.of_target ?? 0),
      shared: row?.shared ?? 0,
      newAliases: kind === "creator" ? newAliases(subject, target) : [],
      losesPortrait: subject.has_portrait,
      isQueued: (await itemsOf(tx, kind, subjectId, targetId)) > ITEMS_AT_ONCE,
      problem,
    };
  });
}

/** The other names hold from now on. The works follow, and the merged name is removed once it has none. */
export async function mergeNames(
  actor: Actor,
  kind: NameKind,
  subjectId: string,
  targetId: string,
): Promise<IdOrProblem> {
  if (!mayDo(actor, "media.edit")) return { id: null, problem: NOT_ALLOWED };
  if (subjectId === targetId) return { id: null, problem: SAME };
  const begun = await retryDeadlock(async (tx) => {
    const pair = await readPair(tx, kind, subjectId, targetId, { locks: true });
    if (pair === null) return GONE;
    const [subject, target] = pair;
    const problem =
      (await openProblem(tx, kind, subjectId, { mayBeTarget: false })) ??
      (await openProblem(tx, kind, targetId, { mayBeTarget: true }));
    if (problem !== null) return problem;
    if (kind === "creator") {
      const aliases = [...target.aliases, ...newAliases(subject, target)];
      await tx.execute(sql`UPDATE creators SET aliases = ${texts(aliases)} WHERE id = ${targetId}`);
    }
    const items = await itemsOf(tx, kind, subjectId, targetId);
    const id = await beginChange(tx, actor, {
      ...{ kind, action: "merge", subjectId, targetId, items },
      ...{ subjectName: subject.name, targetName: target.name },
    });
    // About the target, whose page stays, and found by the name that goes.
    await recordAudit(tx, {
      actor,
      action: kind === "creator" ? "creator.merged" : "tag.merged",
      subjectKind: kind,
      subjectId: targetId,
      subjectName: subject.name,
      before: { slug: subject.slug },
      after: { slug: target.slug, into: target.name, items: await countCarriers(tx, kind, subjectId) },
    });
    return { id, items };
  });
  if (typeof begun === "string") return { id: null, problem: begun };
  await followAtOnce(begun.id, begun.items);
  return { id: begun.id, problem: null };
}

/** Besides those of the merged name, a target with a new alias is found anew by all of its own items. */
async function itemsOf(
  executor: Executor,
  kind: NameKind,
  subjectId: string,
  targetId: string,
): Promise<number> {
  const own = await countCarriers(executor, kind, subjectId);
  return kind === "tag" ? own : own + (await countCarriers(executor, kind, targetId));
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
  const rows = await executor.execute<Row>(
    kind === "creator"
      ? sql`SELECT c.id, c.name, c.slug, to_jsonb(c.aliases) AS aliases,
          EXISTS (SELECT FROM creator_files f WHERE f.creator_id = c.id) AS has_portrait
        FROM creators c WHERE c.id = ANY(${uuids(ids)}) ORDER BY c.id ${lock}`
      : sql`SELECT t.id, t.name, t.slug, '[]'::jsonb AS aliases, false AS has_portrait
        FROM tags t WHERE t.id = ANY(${uuids(ids)}) ORDER BY t.id ${lock}`,
  );
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
