import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { Conflict } from "#app/domain/staff/compare-edits.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import type { Transaction } from "#db/client.server.ts";
import type { EditedItem } from "./items.server.ts";
import type { FieldValue } from "./sections.ts";
import type { FieldErrors } from "./text-fields.ts";

export type SaveResult =
  | { saved: true }
  | { saved: false; conflicts: Conflict<FieldValue>[] }
  /** "form" when no field is wrong. */
  | { saved: false; errors: FieldErrors };

export type SaveRefusal = Extract<SaveResult, { saved: false }>;

export async function recordEdit(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  changed: object,
  stored: object,
): Promise<void> {
  const before: Record<string, unknown> = { ...stored };
  await recordAudit(tx, {
    actor,
    action: "media.edited",
    subjectKind: "media",
    subjectId: item.id,
    subjectName: item.title,
    before: Object.fromEntries(Object.keys(changed).map((field) => [field, before[field]])),
    after: changed,
  });
}

export function refused(sentence: string, field = "form"): SaveRefusal {
  return { saved: false, errors: { [field]: sentence } };
}
