import { sql } from "drizzle-orm";
import { Refusal } from "#app/domain/media/intake/refusal.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { queueEncoding } from "../edit/files/queue-encoding.server.ts";
import { queueTrailer, TRAILER_STEP } from "../edit/files/trailer-step.server.ts";
import { lockItems, readItem } from "../edit/item/items.server.ts";
import { REMAKE_ACTOR } from "./replace-remade.server.ts";

/** "already": it waits for the worker or is being made, and nothing was changed. */
export type QueuedRemake = "queued" | "already";

const QUEUES = {
  /** With the trailer. */
  video: queueEncoding,
  trailer: async (tx: Transaction, mediaId: string) => {
    await queueTrailer(tx, mediaId);
    return true;
  },
};

/** Lets the worker make a video or its trailer again, as it made them first. Throws a Refusal. */
export async function queueRemake(mediaId: string, part: keyof typeof QUEUES): Promise<QueuedRemake> {
  return db.transaction(async (tx) => {
    await lockItems(tx, [mediaId]);
    const item = await readItem(tx, mediaId);
    if (item === null || item.state === "deleted") throw new Refusal(mediaId, "it was deleted meanwhile");
    // The worker would leave it alone until then.
    if (item.state === "takenDown") throw new Refusal(mediaId, "it is taken down: bring it back first");
    if (await isOpen(tx, mediaId, part)) return "already";
    if (!(await QUEUES[part](tx, mediaId)))
      throw new Refusal(mediaId, "it has no file from which anything could be made");
    const subject = { subjectKind: "media", subjectId: mediaId, subjectName: item.title } as const;
    await recordAudit(tx, { actor: REMAKE_ACTOR, action: "encoding.queued", ...subject });
    return "queued";
  });
}

async function isOpen(tx: Transaction, mediaId: string, part: keyof typeof QUEUES): Promise<boolean> {
  const open = await tx.execute(sql`
    SELECT FROM media_work WHERE media_id = ${mediaId} AND state IN ('waiting', 'running')
      AND (step = ${TRAILER_STEP}) = ${part === "trailer"} LIMIT 1`);
  return open.length > 0;
}
