// Needed because several processes serve the pieces of one upload: decision 161.
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { flag, readRow } from "#db/rows.ts";

/** The longest that a dead process keeps others waiting. */
const LEASE = sql`interval '15 seconds'`;
const RENEW_MS = 2_000;
const WAIT_MS = 10_000;
const POLL_MS = 250;

export interface TakenLock {
  token: string;
  release(): Promise<void>;
}

/** "gone": no such upload of this person. "busy": another request keeps the lock. `onWanted`: another waits, or the lease was lost. */
export async function takeLock(
  { userId, uploadId }: { userId: string; uploadId: string },
  { signal, onWanted }: { signal: AbortSignal; onWanted: () => void },
): Promise<TakenLock | "gone" | "busy"> {
  if (!UUID.test(uploadId)) return "gone";
  const token = randomUUID();
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const isMine = await readRow(db, flag)`
      UPDATE uploads SET
        lock_token = CASE WHEN ${IS_FREE} THEN ${token}::uuid ELSE lock_token END,
        locked_until = CASE WHEN ${IS_FREE} THEN now() + ${LEASE} ELSE locked_until END,
        is_lock_wanted = NOT ${IS_FREE}
      WHERE id = ${uploadId} AND ${isOf(userId)} RETURNING lock_token = ${token}::uuid`;
    if (isMine === null) return "gone";
    if (isMine) return hold({ uploadId, token, onWanted });
    if (signal.aborted || performance.now() > until) return "busy";
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const IS_FREE = sql`(locked_until IS NULL OR locked_until < now())`;

export function isOf(userId: string) {
  return sql`batch_id IN (SELECT batch.id FROM upload_batches batch WHERE batch.user_id = ${userId})`;
}

function hold({
  uploadId,
  token,
  onWanted,
}: {
  uploadId: string;
  token: string;
  onWanted: () => void;
}): TakenLock {
  const isOwn = sql`id = ${uploadId} AND lock_token = ${token}::uuid`;
  const renewal = setInterval(() => {
    const renewed = readRow(db, flag)`
      UPDATE uploads SET locked_until = now() + ${LEASE} WHERE ${isOwn}
      RETURNING is_lock_wanted`;
    renewed.then(
      (isWanted) => {
        if (isWanted ?? true) onWanted();
      },
      // The lease lasts a while. Bytes written after it ends do not count.
      () => {},
    );
  }, RENEW_MS).unref();
  return {
    token,
    async release() {
      clearInterval(renewal);
      await db.execute(sql`
        UPDATE uploads SET lock_token = NULL, locked_until = NULL, is_lock_wanted = false WHERE ${isOwn}`);
    },
  };
}
