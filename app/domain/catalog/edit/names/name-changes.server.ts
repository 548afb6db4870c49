import { type SQL, sql } from "drizzle-orm";
import { isOutage } from "#app/domain/health/database.server.ts";
import { enqueue, IN_THE_REQUEST } from "#app/domain/jobs/enqueue.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { moveCreatorTotals } from "#app/domain/totals/move-totals.server.ts";
import { isDeadlock } from "#db/adapter/unreachable.ts";
import { db, type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { refreshCounts } from "../../media/counts.server.ts";
import {
  dropFormerSlugs,
  keepFormerSlug,
  moveFormerSlugs,
  type NameKind,
} from "../../media/former-slugs.server.ts";
import { UUID } from "../../media/served-file.server.ts";
import { lockItems } from "../item/items.server.ts";

/** More are changed by the queue. */
export const ITEMS_AT_ONCE = 200;
/** Items of one transaction: some tenths of a second, for which nobody else can save these. */
const BATCH = 50;

/** Tables and columns that carry the names of a kind. */
const CARRIED = {
  creator: { names: sql`creators`, rows: sql`media_creators`, id: sql`creator_id` },
  tag: { names: sql`tags`, rows: sql`media_tags`, id: sql`tag_id` },
} satisfies Record<NameKind, { names: SQL; rows: SQL; id: SQL }>;

type NameAction = "rename" | "merge" | "delete";

interface BegunChange {
  kind: NameKind;
  action: NameAction;
  subjectId: string;
  /** The name before the change. */
  subjectName: string;
  /** Null but for a merge. */
  targetId: string | null;
  /** The other's name, or the new one. */
  targetName: string | null;
  items: number;
}

/** Stores what a job then follows with. Call it in the transaction of the change, before the entry in the audit log. */
export async function beginChange(tx: Transaction, actor: Actor, change: BegunChange): Promise<string> {
  const { kind, action, subjectId, subjectName, targetId, targetName, items } = change;
  const [row] = await tx.execute<{ id: string }>(sql`
    INSERT INTO name_changes (kind, action, subject_id, subject_name, target_id, target_name, actor, items)
    VALUES (${kind}, ${action}, ${subjectId}, ${subjectName}, ${targetId}, ${targetName}, ${actor.name}, ${items})
    RETURNING id`);
  if (!row) throw new Error("the change was not stored");
  const afterSeconds = items <= ITEMS_AT_ONCE ? IN_THE_REQUEST.restAfterSeconds : 0;
  await enqueue("change-names", {}, tx, { afterSeconds });
  return row.id;
}

/** After the commit: a small change is made before the page answers. */
export async function followAtOnce(id: string, items: number): Promise<void> {
  if (items > ITEMS_AT_ONCE) return;
  // The change is stored: the job does the rest, and logs what stops it.
  await runNameChange(id, IN_THE_REQUEST.withinMs).catch(() => {});
}

/** Makes what is left of all changes. Resolves with the errors of those that failed; throws when the database is gone. */
export async function runOpenNameChanges(): Promise<{ id: string; error: unknown }[]> {
  const failed: { id: string; error: unknown }[] = [];
  const open = await db.execute<{ id: string }>(
    sql`SELECT id FROM name_changes WHERE done_at IS NULL ORDER BY created_at, id`,
  );
  for (const { id } of open) {
    try {
      await runNameChange(id);
    } catch (error) {
      if (isOutage(error)) throw error;
      failed.push({ id, error });
    }
  }
  return failed;
}

/** Each step is a transaction of its own, which begins where the last committed one ended, whoever made that. */
async function runNameChange(id: string, withinMs = Number.POSITIVE_INFINITY): Promise<void> {
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    try {
      if (!(await db.transaction((tx) => step(tx, id)))) return;
    } catch (error) {
      // Nothing of the step is done, so it comes again, after whoever it waited for.
      if (!isDeadlock(error)) throw error;
    }
  }
}

interface OpenChange extends Record<string, unknown> {
  id: string;
  kind: NameKind;
  action: NameAction;
  subject_id: string;
  target_id: string | null;
  after_media_id: string | null;
  is_walked: boolean;
}

/** False when nothing is left. The lock lets one run at a time do a step; a killed one's goes with its connection. */
async function step(tx: Transaction, id: string): Promise<boolean> {
  const [change] = await tx.execute<OpenChange>(sql`
    SELECT id, kind, action, subject_id, target_id, after_media_id, is_walked FROM name_changes
    WHERE id = ${id} AND done_at IS NULL FOR UPDATE`);
  if (!change) return false;
  const { action, kind, subject_id: subject, target_id: target } = change;
  if (action === "rename") return refreshSearch(tx, change, subject);
  if (action === "delete" || target === null) return removeTag(tx, change);
  // A creator's works are found by the name that merged into theirs, too. A tag has no second name.
  if (kind === "creator" && !change.is_walked) return refreshSearch(tx, change, target);
  return merge(tx, change, target);
}

/** Computes the search of the next items anew, along their ids. */
async function refreshSearch(tx: Transaction, change: OpenChange, nameId: string): Promise<boolean> {
  const { rows, id } = CARRIED[change.kind];
  const after = change.after_media_id;
  const found = await tx.execute<{ media_id: string }>(sql`
    SELECT media_id FROM ${rows} WHERE ${id} = ${nameId} ${after === null ? sql`` : sql`AND media_id > ${after}`}
    ORDER BY media_id LIMIT ${BATCH}`);
  const ids = found.map((row) => row.media_id);
  await lockItems(tx, ids);
  // Touching the title makes a trigger compute the search.
  await tx.execute(sql`UPDATE media SET title = title WHERE id = ANY(${uuids(ids)})`);
  const isWalked = ids.length < BATCH;
  await tx.execute(sql`
    UPDATE name_changes SET done_items = done_items + ${ids.length}, is_walked = ${isWalked},
      after_media_id = ${ids.at(-1) ?? after},
      done_at = ${isWalked && change.action === "rename" ? sql`clock_timestamp()` : sql`NULL`}
    WHERE id = ${change.id}`);
  return !isWalked || change.action !== "rename";
}

async function merge(tx: Transaction, change: OpenChange, target: string): Promise<boolean> {
  const { kind, subject_id: subject } = change;
  const ids = await nextItems(tx, change);
  if (ids.length === 0) return finishMerge(tx, change, target);
  const { rows, id } = CARRIED[kind];
  const both = sql`ours.${id} = ${subject} AND theirs.${id} = ${target} AND theirs.media_id = ours.media_id
    AND ours.media_id = ANY(${uuids(ids)})`;
  if (kind === "creator") {
    await tx.execute(sql`UPDATE media_creators theirs SET position = ours.position FROM media_creators ours
      WHERE ${both} AND ours.position < theirs.position`);
  }
  await tx.execute(sql`DELETE FROM ${rows} ours USING ${rows} theirs WHERE ${both}`);
  await tx.execute(sql`UPDATE ${rows} SET ${id} = ${target} WHERE ${id} = ${subject}
    AND media_id = ANY(${uuids(ids)})`);
  if (kind === "creator") await refreshCounts([subject, target], tx);
  await countDone(tx, change.id, ids.length);
  return true;
}

/** The lock waits for those who credit the merged name; others find nobody after it. */
async function finishMerge(tx: Transaction, change: OpenChange, target: string): Promise<boolean> {
  const { kind, subject_id: subject } = change;
  if (kind === "creator") await moveCreatorTotals(tx, subject, target);
  const slugs = await lockSlugs(tx, kind, [subject, target]);
  const [from, to] = [slugs.get(subject), slugs.get(target)];
  if ((await countCarriers(tx, kind, subject)) > 0) return true;
  if (from !== undefined && to !== undefined) {
    await moveFormerSlugs(tx, kind, subject, target);
    await keepFormerSlug(tx, kind, target, { from, to });
    await removeName(tx, kind, subject);
  }
  await markDone(tx, change.id);
  return false;
}

async function removeTag(tx: Transaction, change: OpenChange): Promise<boolean> {
  const { kind, subject_id: subject } = change;
  const ids = await nextItems(tx, change);
  const { rows, id } = CARRIED[kind];
  if (ids.length > 0) {
    await tx.execute(sql`DELETE FROM ${rows} WHERE ${id} = ${subject} AND media_id = ANY(${uuids(ids)})`);
    await countDone(tx, change.id, ids.length);
    return true;
  }
  await lockSlugs(tx, kind, [subject]);
  if ((await countCarriers(tx, kind, subject)) > 0) return true;
  await dropFormerSlugs(tx, kind, subject);
  await removeName(tx, kind, subject);
  await markDone(tx, change.id);
  return false;
}

/** Deletes the row, which nothing refers to any more, and a creator's portrait. */
export async function removeName(tx: Transaction, kind: NameKind, id: string): Promise<void> {
  if (kind === "creator") await enqueue("delete-creator-files", { creatorId: id, version: null }, tx);
  await tx.execute(sql`DELETE FROM ${CARRIED[kind].names} WHERE id = ${id}`);
}

/** Locked, in the order in which others lock them. */
async function nextItems(tx: Transaction, { kind, subject_id: subject }: OpenChange): Promise<string[]> {
  const { rows, id } = CARRIED[kind];
  const found = await tx.execute<{ media_id: string }>(sql`
    SELECT media_id FROM ${rows} WHERE ${id} = ${subject} ORDER BY media_id LIMIT ${BATCH}`);
  const ids = found.map((row) => row.media_id);
  await lockItems(tx, ids);
  return ids;
}

/** Waits for those who are crediting one of these, and keeps others from it. */
async function lockSlugs(tx: Transaction, kind: NameKind, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx.execute<{ id: string; slug: string }>(sql`
    SELECT id, slug FROM ${CARRIED[kind].names} WHERE id = ANY(${uuids(ids)}) ORDER BY id FOR UPDATE`);
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

async function countDone(tx: Transaction, id: string, items: number): Promise<void> {
  await tx.execute(sql`UPDATE name_changes SET done_items = done_items + ${items} WHERE id = ${id}`);
}

async function markDone(tx: Transaction, id: string): Promise<void> {
  await tx.execute(sql`UPDATE name_changes SET done_at = clock_timestamp() WHERE id = ${id}`);
}

/** How many items carry the name, deleted ones among them. */
export async function countCarriers(executor: Executor, kind: NameKind, nameId: string): Promise<number> {
  const { rows, id } = CARRIED[kind];
  const [row] = await executor.execute<{ items: number }>(
    sql`SELECT count(*)::int AS items FROM ${rows} WHERE ${id} = ${nameId}`,
  );
  return row?.items ?? 0;
}

export interface NameChange {
  id: string;
  kind: NameKind;
  action: NameAction;
  subjectId: string;
  subjectName: string;
  targetId: string | null;
  targetName: string | null;
  actor: string;
  total: number;
  done: number;
  isDone: boolean;
}

const columns = sql`id, kind, action, subject_id AS "subjectId", subject_name AS "subjectName",
  target_id AS "targetId", target_name AS "targetName", actor, items::int AS total,
  LEAST(done_items, items)::int AS done, done_at IS NOT NULL AS "isDone"`;

/** Null when there is none. */
export async function findNameChange(id: string): Promise<NameChange | null> {
  if (!UUID.test(id)) return null;
  const [row] = await db.execute<NameChange & Record<string, unknown>>(
    sql`SELECT ${columns} FROM name_changes WHERE id = ${id}`,
  );
  return row ?? null;
}

/** The changes of this name that are not done yet, the oldest first. */
export async function listOpenChanges(
  kind: NameKind,
  id: string,
  executor: Executor = db,
): Promise<NameChange[]> {
  const rows = await executor.execute<NameChange & Record<string, unknown>>(sql`
    SELECT ${columns} FROM name_changes WHERE kind = ${kind} AND done_at IS NULL
      AND (subject_id = ${id} OR target_id = ${id}) ORDER BY created_at, id`);
  return [...rows];
}

/** Where the name went that had this id; null when it was not merged. */
export async function findMergeTarget(kind: NameKind, id: string): Promise<string | null> {
  if (!UUID.test(id)) return null;
  const [row] = await db.execute<{ target_id: string }>(sql`
    SELECT target_id FROM name_changes WHERE kind = ${kind} AND action = 'merge' AND subject_id = ${id}
      AND done_at IS NOT NULL LIMIT 1`);
  return row?.target_id ?? null;
}

/** Why the name cannot be changed now; null when it can. A target of a merge may be renamed meanwhile. */
export async function openProblem(
  tx: Transaction,
  kind: NameKind,
  id: string,
  { mayBeTarget }: { mayBeTarget: boolean },
): Promise<string | null> {
  const changes = await listOpenChanges(kind, id, tx);
  const open = changes.find(
    ({ action, subjectId }) => action !== "rename" && (subjectId === id || !mayBeTarget),
  );
  if (open === undefined) return null;
  const { action, subjectName, targetName } = open;
  return action === "merge"
    ? `“${subjectName}” is being merged into “${targetName}”. Please wait until that is done.`
    : `“${subjectName}” is being deleted.`;
}
