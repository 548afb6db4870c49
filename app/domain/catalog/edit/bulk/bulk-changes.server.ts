import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { isOutage } from "#app/domain/health/outage.server.ts";
import { enqueue, IN_THE_REQUEST } from "#app/domain/jobs/enqueue.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { findActor } from "#app/domain/staff/roles.server.ts";
import { UUID } from "#app/texts.ts";
import { isDeadlock } from "#db/adapter/unreachable.ts";
import { db, type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { json, number, readOne, readRow, text, timestamp } from "#db/rows.ts";
import type { IdOrProblem } from "../item/change-item.server.ts";
import { lockItems, readItem, valuesOf } from "../item/items.server.ts";
import { recordEdit, writeFields } from "../item/write-fields.server.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { applyTransition } from "../states/transitions.server.ts";
import {
  BULK_LIMITS,
  type BulkChange,
  bulkEdit,
  type FieldChange,
  isStateChange,
  rightFor,
} from "./bulk-change.ts";
import { type BulkSelection, prepareBulk, transitionOf, withKnownName } from "./bulk-preview.server.ts";

const ITEMS_NAMED = 50;
const NO_LONGER = "The person who confirmed this change no longer has the right to make it.";
const FAILED = "Something went wrong on our side, so this item was not changed.";

/** Changes a few items in the request, and leaves many to the queue. */
export async function confirmBulk(
  actor: Actor,
  selection: BulkSelection,
  typed: BulkChange,
): Promise<IdOrProblem> {
  const prepared = await prepareBulk(actor, selection, typed);
  if (prepared.problem !== null) return { id: null, problem: prepared.problem };
  const { items } = prepared;
  const change = await withKnownName(db, typed);
  const isSmall = items.length <= BULK_LIMITS.inRequest;
  const id = await db.transaction(async (tx) => {
    const bulkChangeId = await readOne(tx, text)`
      INSERT INTO bulk_changes (actor_id, actor, actor_role, change)
      VALUES (${actor.id}, ${actor.name}, ${actor.role}, ${JSON.stringify(change)}::jsonb) RETURNING id`;
    await tx.execute(sql`
      INSERT INTO bulk_change_items (bulk_change_id, position, media_id, title)
      SELECT ${bulkChangeId}::uuid, wanted.position, m.id, m.title
      FROM unnest(${uuids(items.map((item) => item.id))}) WITH ORDINALITY wanted(id, position) JOIN media m USING (id)`);
    const afterSeconds = isSmall ? IN_THE_REQUEST.restAfterSeconds : 0;
    await enqueue("bulk-change", { bulkChangeId }, tx, { queue: "bulk-changes", afterSeconds });
    await recordAudit(tx, {
      actor,
      action: "bulk.confirmed",
      subjectKind: "bulkChange",
      subjectId: bulkChangeId,
      after: { change, items: items.length },
    });
    return bulkChangeId;
  });
  if (isSmall) await runBulk(id, IN_THE_REQUEST.withinMs);
  return { id, problem: null };
}

const BulkRow = z.object({
  actor_id: text.nullable(),
  actor: text,
  change: json<BulkChange>(),
});
type BulkRow = z.infer<typeof BulkRow>;
const NextItem = z.object({ position: number, media_id: text });

/** Each item has its own transaction, so that the next run continues a killed one. Throws when the database is gone. */
export async function runBulk(
  id: string,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<{ errors: unknown[] }> {
  const row = await readRow(db, BulkRow)`
    SELECT actor_id, actor, change FROM bulk_changes WHERE id = ${id}`;
  const errors: unknown[] = [];
  if (!row) return { errors };
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    const step = await changeNext(id, row);
    if (step === null) break;
    if (step.error !== null) errors.push(step.error);
  }
  return { errors };
}

interface Outcome {
  isChanged: boolean;
  problem: string | null;
}

/** Null when no item is left. */
async function changeNext(bulkId: string, row: BulkRow): Promise<{ error: unknown } | null> {
  let position: number | null = null;
  try {
    return await db.transaction(async (tx) => {
      const next = await readRow(tx, NextItem)`
        SELECT position, media_id FROM bulk_change_items WHERE bulk_change_id = ${bulkId} AND done_at IS NULL
        ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED`;
      if (!next) return null;
      position = next.position;
      // The audit log is locked by now. This row has been locked longer, so it waits for nobody.
      await markDone(tx, bulkId, position, await changeOne(tx, row, next.media_id));
      return { error: null };
    });
  } catch (error) {
    if (position === null || isOutage(error)) throw error;
    // The item is not done, so the next step tries it again.
    if (isDeadlock(error)) return { error: null };
    await markDone(db, bulkId, position, { isChanged: false, problem: FAILED });
    return { error };
  }
}

async function changeOne(tx: Transaction, row: BulkRow, mediaId: string): Promise<Outcome> {
  const { change } = row;
  const actor = await findPresentActor(tx, row);
  if (actor === null || !mayDo(actor, rightFor(change))) return { isChanged: false, problem: NO_LONGER };
  if (isStateChange(change)) {
    const { name, details } = transitionOf(change);
    const result = await applyTransition(tx, actor, mediaId, name, details);
    return result.done ? { isChanged: true, problem: null } : { isChanged: false, problem: result.problem };
  }
  return changeField(tx, actor, mediaId, await withKnownName(tx, change));
}

/** With the present role, which may have been taken away while the items waited. */
async function findPresentActor(
  tx: Transaction,
  { actor_id: id, actor: name }: BulkRow,
): Promise<Actor | null> {
  return id === null ? { id, name, role: "owner" } : findActor(id, tx);
}

/** Null when the change has stopped, otherwise a sentence. Items that are already changed stay changed. */
export async function stopBulk(actor: Actor, id: string): Promise<string | null> {
  const stopped = await findBulkChange(id);
  if (stopped === null) return "There is no such change.";
  const { change } = stopped;
  if (!mayDo(actor, rightFor(change))) return NOT_ALLOWED;
  await db.transaction(async (tx) => {
    const left = await tx.execute(sql`
      UPDATE bulk_change_items SET done_at = now(), problem = ${`${actor.name} stopped the change before this item.`}
      WHERE bulk_change_id = ${id} AND done_at IS NULL RETURNING position`);
    if (left.length === 0) return;
    await recordAudit(tx, {
      ...{ actor, action: "bulk.stopped", subjectKind: "bulkChange", subjectId: id },
      after: { change, items: left.length },
    });
  });
  return null;
}

async function changeField(
  tx: Transaction,
  actor: Actor,
  mediaId: string,
  change: FieldChange,
): Promise<Outcome> {
  await lockItems(tx, [mediaId]);
  const item = await readItem(tx, mediaId);
  if (item === null) return { isChanged: false, problem: "This item no longer exists." };
  const { section, field, before, after, problem } = bulkEdit(item, change);
  if (problem !== null || isDeepStrictEqual(before, after)) return { isChanged: false, problem };
  const changed = { [field]: after };
  const added = await writeFields(tx, item, section, changed);
  // The audit log comes last: its lock must come after all others.
  await recordEdit(tx, actor, item, changed, valuesOf(item)[section], added);
  return { isChanged: true, problem: null };
}

async function markDone(
  executor: Executor,
  bulkId: string,
  position: number,
  { isChanged, problem }: Outcome,
): Promise<void> {
  await executor.execute(sql`
    UPDATE bulk_change_items SET done_at = now(), is_changed = ${isChanged}, problem = ${problem}
    WHERE bulk_change_id = ${bulkId} AND position = ${position} AND done_at IS NULL`);
}

const ChangedItem = z.object({ mediaId: text, title: text });
const ProgressRow = z.object({
  id: text,
  /** The email address of whoever confirmed it. */
  actor: text,
  change: json<BulkChange>(),
  createdAt: timestamp,
  total: number,
  done: number,
  changed: number,
  problems: z.array(ChangedItem.extend({ problem: text })),
  changedItems: z.array(ChangedItem),
});
export type BulkProgress = z.infer<typeof ProgressRow> & { isDone: boolean };

export async function findBulkChange(id: string): Promise<BulkProgress | null> {
  if (!UUID.test(id)) return null;
  const row = await readRow(db, ProgressRow)`
    SELECT b.id, b.actor, b.change, b.created_at AS "createdAt",
      count(*)::int AS total, count(i.done_at)::int AS done, count(*) FILTER (WHERE i.is_changed)::int AS changed,
      COALESCE(jsonb_agg(jsonb_build_object('mediaId', i.media_id, 'title', i.title, 'problem', i.problem)
        ORDER BY i.position) FILTER (WHERE i.problem IS NOT NULL), '[]') AS problems,
      (SELECT COALESCE(jsonb_agg(first), '[]') FROM (
        SELECT media_id AS "mediaId", title FROM bulk_change_items
        WHERE bulk_change_id = b.id AND is_changed ORDER BY position LIMIT ${ITEMS_NAMED}) first) AS "changedItems"
    FROM bulk_changes b JOIN bulk_change_items i ON i.bulk_change_id = b.id WHERE b.id = ${id} GROUP BY b.id`;
  return row && { ...row, isDone: row.done === row.total };
}
