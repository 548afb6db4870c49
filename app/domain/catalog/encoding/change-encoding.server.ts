import { sql } from "drizzle-orm";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import { type Actor, mayDo, type StaffRight } from "#app/domain/staff/rights.ts";
import type { Transaction } from "#db/client.server.ts";
import { queueEncoding } from "../edit/files/queue-encoding.server.ts";
import { changeItem } from "../edit/item/change-item.server.ts";
import type { EditedItem } from "../edit/item/items.server.ts";
import { isOpenStep, isStoppedStep } from "../media/encoding-work.server.ts";

/** "again" replaces what visitors have. */
export const ENCODING_CHANGES = ["retry", "cancel", "again"] as const;
export type EncodingChange = (typeof ENCODING_CHANGES)[number];

interface Change {
  right: StaffRight;
  action: AuditAction;
  write: (tx: Transaction, mediaId: string) => Promise<string | null>;
}

const NOTHING: Record<EncodingChange, string> = {
  retry: "No step of this video has failed or been canceled.",
  cancel: "No step of this video is waiting or running.",
  again: "This item has no video to make files from.",
};
const TAKEN_DOWN = "This item is taken down. Bring it back first.";
const LOSES_FILES =
  "The original of this video was not kept, and some of its sizes or audio tracks cannot be made again from its largest MP4.";
const STILL_MADE =
  "Files of this video are still being made. Cancel that first, or wait until they are done.";

const CHANGES: Record<EncodingChange, Change> = {
  retry: { right: "media.edit", action: "encoding.retried", write: retry },
  cancel: { right: "media.edit", action: "encoding.cancelled", write: cancel },
  again: { right: "media.publish", action: "encoding.queued", write: again },
};

export function mayChangeEncoding(actor: Actor, change: EncodingChange): boolean {
  return mayDo(actor, CHANGES[change].right);
}

export function changeEncoding(
  actor: Actor,
  mediaId: string,
  change: EncodingChange,
): Promise<string | null> {
  const { right, action, write } = CHANGES[change];
  const changed = async (tx: Transaction, { title, state }: EditedItem) => {
    if (state === "takenDown") return TAKEN_DOWN;
    const refusal = await write(tx, mediaId);
    if (refusal !== null) return refusal;
    const subject = { subjectKind: "media", subjectId: mediaId, subjectName: title } as const;
    await recordAudit(tx, { actor, action, ...subject });
    return null;
  };
  return changeItem(actor, mediaId, changed, { right });
}

/** An old page may still show the button during hours of work. */
async function again(tx: Transaction, mediaId: string): Promise<string | null> {
  const open = await tx.execute(sql`
    SELECT FROM media_work w WHERE w.media_id = ${mediaId} AND ${isOpenStep} LIMIT 1`);
  if (open.length > 0) return STILL_MADE;
  const outcome = await queueEncoding(tx, mediaId);
  if (outcome === "losesFiles") return LOSES_FILES;
  return outcome === "queued" ? null : NOTHING.again;
}

async function retry(tx: Transaction, mediaId: string): Promise<string | null> {
  const begun = await tx.execute(sql`
    UPDATE media_work w SET state = 'waiting', attempts = 0, due_at = now(), last_lines = '{}',
      updated_at = clock_timestamp()
    WHERE w.media_id = ${mediaId} AND ${isStoppedStep} RETURNING w.step`);
  return begun.length > 0 ? null : NOTHING.retry;
}

/** A running step notices within moments. Finished steps stay for a retry. */
async function cancel(tx: Transaction, mediaId: string): Promise<string | null> {
  const ended = await tx.execute(sql`
    UPDATE media_work w SET state = 'cancelled', claimed_by = NULL, percent = 0, updated_at = clock_timestamp()
    WHERE w.media_id = ${mediaId} AND ${isOpenStep} RETURNING w.step`);
  return ended.length > 0 ? null : NOTHING.cancel;
}
