import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import type { Transaction } from "#db/client.server.ts";
import type { EditedItem } from "./items.server.ts";

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
