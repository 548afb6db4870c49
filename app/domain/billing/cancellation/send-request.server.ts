import { and, eq, isNull, notInArray, or, sql } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-status.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { isRowOf, type OwnSubscription } from "../subscriptions/own-subscription.server.ts";
import { type CancellationOutcome, sendChange } from "./cancel.server.ts";

export interface SentRequest {
  outcome: CancellationOutcome;
  /** A period started and was charged after the owner cancelled; it must be refunded. */
  isCharged: boolean;
}

/** Sends an unconfirmed request; null without one. Throws when the provider does not answer: the job is retried. */
export async function sendRequest(own: OwnSubscription): Promise<SentRequest | null> {
  const open = await findRow(own);
  if (!open?.isRequestOpen || open.requestedChange === null) return null;
  const outcome = await sendChange(own, open.requestedChange, open.requestedAt);
  if (outcome === "unreachable")
    throw new Error("The provider has not confirmed a request about a subscription");
  const after = await findRow(own);
  const isCharged =
    open.requestedChange === "cancel" && after !== undefined && isBegunSince(after, open.requestedAt);
  return { outcome, isCharged };
}

/** Retries requests whose jobs were lost; for a subscription unknown to the provider, for thirty days. */
export async function retryRequests(): Promise<void> {
  const isRecent = sql`${subscriptions.requestedAt} > now() - interval '30 days'`;
  const open = await db
    .select({ id: subscriptions.id, userId: subscriptions.userId })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.isRequestOpen, true),
        notInArray(subscriptions.status, ENDED_STATUSES),
        or(isNull(subscriptions.unknownSince), isRecent),
      ),
    );
  for (const own of open) await enqueue("send-cancellation-request", own);
}

function isBegunSince({ currentPeriodStart }: { currentPeriodStart: Date }, at: Date | null): boolean {
  return at !== null && currentPeriodStart > at;
}

async function findRow(own: OwnSubscription) {
  const [row] = await db.select().from(subscriptions).where(isRowOf(own));
  return row;
}
