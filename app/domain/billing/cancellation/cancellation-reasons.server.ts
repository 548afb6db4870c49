import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { cancellationReasons } from "#db/schema/cancellations.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import type { CancellationReason } from "../rules/cancellation-reasons.ts";
import { type CancellationState, cancelRequestedAt, isMoved } from "../rules/cancellation-state.ts";
import type { OwnSubscription } from "../subscriptions/own-subscription.server.ts";

/** "offered" only after the owner has canceled; null before, and where it ended without that. */
export type ReasonState = "offered" | "given" | null;

export async function findReasonState(row: Subscription, { kind }: CancellationState): Promise<ReasonState> {
  if (isMoved(row)) return null;
  const isCanceled =
    kind === "ending" ||
    cancelRequestedAt(row) !== null ||
    (kind === "over" && row.requestedChange === "cancel");
  if (!isCanceled) return null;
  const [given] = await db
    .select({ at: cancellationReasons.writtenAt })
    .from(cancellationReasons)
    .where(eq(cancellationReasons.subscriptionId, row.id));
  // A reason given for an earlier cancellation, which was taken back, is not about this one.
  const canceledAt = row.requestedAt ?? row.canceledAt;
  return given && (canceledAt === null || given.at >= canceledAt) ? "given" : "offered";
}

export async function saveReason(
  { id: subscriptionId }: OwnSubscription,
  given: { reason: CancellationReason | null; comment: string },
): Promise<void> {
  const values = { ...given, writtenAt: sql`now()` };
  await db
    .insert(cancellationReasons)
    .values({ subscriptionId, ...values })
    .onConflictDoUpdate({ target: cancellationReasons.subscriptionId, set: values });
}
