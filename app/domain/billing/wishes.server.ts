import { and, eq, gt, notInArray, sql } from "drizzle-orm";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { GIVEN } from "./given.server.ts";
import { type Held, isRowOf } from "./held.server.ts";
import { ENDED_STATUSES } from "./owner.server.ts";
import { PATIENCE_MS } from "./patience.ts";

export type Wish = "cancel" | "keep";

export interface RecordedWish {
  at: Date;
  /** False of what is only noted: nothing has to be passed on should the provider not answer. */
  isOpen: boolean;
}

/** Whoever has pressed the button waits for less; then a job goes on with it. */
const PRESSED_SECONDS = PATIENCE_MS / 1000 + 5;
/** By the database's clock, later than the last one. A Date keeps no more than milliseconds. */
const NEXT_MOMENT = sql`greatest(date_trunc('milliseconds', clock_timestamp()),
  ${subscriptions.wishedAt} + interval '1 millisecond')`;

/**
 * Writes down what the owner wants, before the provider is asked, together with the job that passes it on when it does not
 * answer. Pressed again it is the same wish. To keep what nobody has asked to cancel is noted only. Null of what nobody
 * else has to be told of.
 */
export async function recordWish(held: Held, wish: Wish): Promise<RecordedWish | null> {
  return db.transaction(
    async (tx) => {
      const [row] = await tx.select().from(subscriptions).where(isRowOf(held)).for("update");
      if (row === undefined || row.provider === GIVEN || ENDED_STATUSES.includes(row.status)) return null;
      if (row.isWishOpen && row.wish === wish && row.wishedAt) return { at: row.wishedAt, isOpen: true };
      const isOpen = wish === "cancel" || row.isWishOpen;
      const [recorded] = await tx
        .update(subscriptions)
        .set({ wish, wishedAt: NEXT_MOMENT, isWishOpen: isOpen })
        .where(isRowOf(held))
        .returning({ at: subscriptions.wishedAt });
      if (isOpen) await enqueue("pass-on-wish", held, tx, { afterSeconds: PRESSED_SECONDS });
      return recorded?.at ? { at: recorded.at, isOpen } : null;
    },
    { accessMode: "read write" },
  );
}

/** What was wished at that moment is done. What was wished since, and may have been done before it, is passed on once more. */
export async function settleWish(held: Held, at: Date): Promise<void> {
  await db.transaction(
    async (tx) => {
      const settled = await tx
        .update(subscriptions)
        .set({ isWishOpen: false })
        .where(and(isRowOf(held), eq(subscriptions.wishedAt, at)))
        .returning({ id: subscriptions.id });
      if (settled.length > 0) return;
      const isLater = gt(subscriptions.wishedAt, at);
      const isRunning = notInArray(subscriptions.status, ENDED_STATUSES);
      const reopened = await tx
        .update(subscriptions)
        .set({ isWishOpen: true })
        .where(and(isRowOf(held), isLater, isRunning))
        .returning({ id: subscriptions.id });
      if (reopened.length > 0) await enqueue("pass-on-wish", held, tx);
    },
    { accessMode: "read write" },
  );
}
