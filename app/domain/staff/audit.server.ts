import { sql } from "drizzle-orm";
import { z } from "zod";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { number, readOne, text } from "#db/rows.ts";
import type { AuditAction, AuditSubject } from "./audit-actions.ts";
import type { Actor } from "./rights.ts";

interface AuditEntry {
  actor: Actor;
  action: AuditAction;
  subjectKind: AuditSubject;
  subjectId: string;
  /** The title of an item as it was before the change. */
  subjectName?: string;
  /** Only what has changed, and no secrets. */
  before?: object;
  after?: object;
}

/** Call it last in the transaction: it locks the end of the chain until the commit. Only more entries and rows that are already locked may follow. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { actor, action, subjectKind, subjectId, subjectName = null, before, after } = entry;
  await tx.execute(sql`
    INSERT INTO audit_log (actor_id, actor, action, subject_kind, subject_id, subject_name, before, after)
    VALUES (${actor.id}, ${actor.name}, ${action}, ${subjectKind}, ${subjectId}, ${subjectName},
      ${asJson(before)}::jsonb, ${asJson(after)}::jsonb)`);
}

export async function hasRecentEntry(
  executor: Executor,
  { actor, action, subjectId, after }: Pick<AuditEntry, "actor" | "action" | "subjectId" | "after">,
  seconds: number,
): Promise<boolean> {
  const found = await executor.execute(sql`
    SELECT FROM audit_log WHERE subject_id = ${subjectId} AND action = ${action}
      AND actor_id IS NOT DISTINCT FROM ${actor.id}::uuid AND after IS NOT DISTINCT FROM ${asJson(after)}::jsonb
      AND at > now() - ${seconds} * interval '1 second' LIMIT 1`);
  return found.length > 0;
}

/** `brokenId`: the first entry that was changed or follows a removed one; null when the chain is whole. */
const VerifiedAudit = z.object({ entries: number, lastHash: text.nullable(), brokenId: number.nullable() });

/** A chain without its last entries is whole, too: only an earlier `lastHash` shows that they are gone. */
export function verifyAudit(executor: Executor = db): Promise<z.infer<typeof VerifiedAudit>> {
  return readOne(executor, VerifiedAudit)`
    SELECT count(*)::float8 AS entries, min(id) FILTER (WHERE NOT is_whole)::float8 AS "brokenId",
      (SELECT hash FROM audit_log ORDER BY id DESC LIMIT 1) AS "lastHash"
    FROM (
      SELECT id, hash = audit_hash(entry) AND previous_hash = lag(hash, 1, '') OVER in_order
        AND id = lag(id, 1, 0::bigint) OVER in_order + 1 AS is_whole
      FROM audit_log entry WINDOW in_order AS (ORDER BY id)
    ) links`;
}

function asJson(facts: object | undefined): string | null {
  return facts === undefined ? null : JSON.stringify(facts);
}
