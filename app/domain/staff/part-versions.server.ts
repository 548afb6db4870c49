import { createHash } from "node:crypto";
import { z } from "zod";
import type { Executor } from "#db/client.server.ts";
import { readRow, text, timestamp } from "#db/rows.ts";
import type { AuditAction } from "./audit-actions.ts";

/** Equal for equal values. */
export function versionOf(values: object): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16);
}

const Edit = z.object({ actor: text, at: timestamp });

/** The newest one that changed any of the fields, or was any of the actions. */
export function lastEdit(
  executor: Executor,
  subjectId: string,
  fields: readonly string[],
  actions: AuditAction[] = [],
) {
  return readRow(executor, Edit)`
    SELECT actor, at FROM audit_log WHERE subject_id = ${subjectId}
      AND (jsonb_exists_any(after, ${`{${fields.join()}}`}::text[]) OR action = ANY(${`{${actions.join()}}`}::text[]))
    ORDER BY id DESC LIMIT 1`;
}
