import { sql } from "drizzle-orm";
import { ImportRefusal } from "#app/domain/media/import/refusal.ts";
import { fileStems } from "#app/domain/media/renditions.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { queueEncoding } from "../edit/files/queue-encoding.server.ts";
import { queueTrailer, TRAILER_STEP } from "../edit/files/trailer-step.server.ts";
import { lockItems, readItem } from "../edit/item/items.server.ts";
import { isOpenStep } from "../media/encoding-work.server.ts";
import { assertStored, findSource, NO_SOURCE } from "./remake-sources.server.ts";
import { REMAKE_ACTOR, wasDeleted } from "./replace-remade.server.ts";

export type QueuedRemake = "queued" | "already";

/** A video brings its trailer. */
type QueuedPart = "video" | "trailer";

const REASONS = {
  noSource: NO_SOURCE,
  losesFiles: "no original is kept, and it has sizes or audio tracks that its MP4s lack",
  noTrailer: "its trailer has been removed",
  takenDown: "it is taken down: bring it back first",
};

export async function queueRemake(mediaId: string, part: QueuedPart): Promise<QueuedRemake> {
  // The worker would notice a missing file only after the last run's findings are gone.
  if (part === "video")
    await assertStored(await findSource({ mediaId, photo: null, group: fileStems.video }));
  return db.transaction(async (tx) => {
    await lockItems(tx, [mediaId]);
    const item = await readItem(tx, mediaId);
    if (item === null || item.state === "deleted") throw wasDeleted(mediaId);
    if (item.state === "takenDown") throw refusedRemake(mediaId, "takenDown");
    if (await isOpen(tx, mediaId, part)) return "already";
    const outcome = await queue(tx, mediaId, part);
    if (outcome !== "queued") throw new ImportRefusal(mediaId, REASONS[outcome]);
    const subject = { subjectKind: "media", subjectId: mediaId, subjectName: item.title } as const;
    await recordAudit(tx, { actor: REMAKE_ACTOR, action: "encoding.queued", ...subject, after: { part } });
    return "queued";
  });
}

export function refusedRemake(mediaId: string, because: "takenDown" | "losesFiles"): ImportRefusal {
  return new ImportRefusal(mediaId, REASONS[because]);
}

async function queue(
  tx: Transaction,
  mediaId: string,
  part: QueuedPart,
): Promise<"queued" | keyof typeof REASONS> {
  if (part === "video") return queueEncoding(tx, mediaId);
  return (await queueTrailer(tx, mediaId)) ? "queued" : "noTrailer";
}

async function isOpen(tx: Transaction, mediaId: string, part: QueuedPart): Promise<boolean> {
  const open = await tx.execute(sql`
    SELECT FROM media_work w WHERE w.media_id = ${mediaId} AND ${isOpenStep}
      AND (w.step = ${TRAILER_STEP}) = ${part === "trailer"} LIMIT 1`);
  return open.length > 0;
}
