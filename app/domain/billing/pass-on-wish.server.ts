import { and, eq, isNull, notInArray, or, sql } from "drizzle-orm";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { type LeavingOutcome, tellProvider } from "./cancel.server.ts";
import { type Held, isRowOf } from "./held.server.ts";
import { ENDED_STATUSES } from "./owner.server.ts";

export interface PassedOn {
  outcome: LeavingOutcome;
  /** A period has begun, and was charged, after its owner had cancelled it: to be paid back. */
  isCharged: boolean;
}

/**
 * Tells the provider what its owner has wished of a subscription and nobody has confirmed. Null when there is nothing to
 * tell. Throws when the provider does not answer: the job is tried again.
 */
export async function passOnWish(held: Held): Promise<PassedOn | null> {
  const open = await findRow(held);
  if (!open?.isWishOpen || open.wish === null) return null;
  const outcome = await tellProvider(held, open.wish, open.wishedAt);
  if (outcome === "away")
    throw new Error("The provider has not confirmed what the owner of a subscription wished");
  const after = await findRow(held);
  const isCharged = open.wish === "cancel" && after !== undefined && isBegunSince(after, open.wishedAt);
  return { outcome, isCharged };
}

/**
 * Queues anew what was not passed on, whatever became of its job. What was sold elsewhere for thirty days, and again when
 * the provider knows it.
 */
export async function retryWishes(): Promise<void> {
  const isRecent = sql`${subscriptions.wishedAt} > now() - interval '30 days'`;
  const open = await db
    .select({ id: subscriptions.id, userId: subscriptions.userId })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.isWishOpen, true),
        notInArray(subscriptions.status, ENDED_STATUSES),
        or(isNull(subscriptions.unknownSince), isRecent),
      ),
    );
  for (const held of open) await enqueue("pass-on-wish", held);
}

function isBegunSince({ currentPeriodStart }: { currentPeriodStart: Date }, at: Date | null): boolean {
  return at !== null && currentPeriodStart > at;
}

async function findRow(held: Held) {
  const [row] = await db.select().from(subscriptions).where(isRowOf(held));
  return row;
}
