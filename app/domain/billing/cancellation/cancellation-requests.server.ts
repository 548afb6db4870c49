import { and, eq, gt, notInArray, sql } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import { PROVIDER_TIMEOUT_MS } from "../providers/timeout.ts";
import {
  isRetried,
  isRowOf,
  type OwnSubscription,
  selectOwn,
} from "../subscriptions/own-subscription.server.ts";

export type RequestedChange = "cancel" | "keep";

/** By then the page's own call has ended; the job takes over. */
const JOB_AFTER_SECONDS = PROVIDER_TIMEOUT_MS / 1000 + 5;
/** By the database's clock, always later than the last request. A Date holds no more than milliseconds. */
const NEXT_MOMENT = sql`greatest(date_trunc('milliseconds', clock_timestamp()),
  ${subscriptions.requestedAt} + interval '1 millisecond')`;

/** A job sends an open request if the page's own call fails. Null when no provider must be called. */
export async function recordRequest(own: OwnSubscription, requestedChange: RequestedChange) {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(subscriptions).where(isRowOf(own)).for("update");
    if (row === undefined || row.provider === DEMO_PROVIDER || ENDED_STATUSES.includes(row.status))
      return null;
    if (row.isPrepaid) return null;
    if (row.isRequestOpen && row.requestedChange === requestedChange && row.requestedAt)
      return { at: row.requestedAt, isOpen: true };
    const isOpen = requestedChange === "cancel" || row.isRequestOpen;
    const [recorded] = await tx
      .update(subscriptions)
      .set({
        requestedChange,
        requestedAt: NEXT_MOMENT,
        isRequestOpen: isOpen,
        // Where the provider has not confirmed what the site began, the cancellation is the member's own.
        renewalEndedBy: row.cancelAtPeriodEnd ? row.renewalEndedBy : null,
      })
      .where(isRowOf(own))
      .returning({ at: subscriptions.requestedAt });
    if (isOpen) await enqueue("send-cancellation-request", own, tx, { afterSeconds: JOB_AFTER_SECONDS });
    return recorded?.at ? { at: recorded.at, isOpen } : null;
  });
}

/** Closes the request made at `at`. A newer one is sent again, because this one may have reached the provider after it. */
export async function closeRequest(own: OwnSubscription, at: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const closed = await tx
      .update(subscriptions)
      .set({ isRequestOpen: false })
      .where(and(isRowOf(own), eq(subscriptions.requestedAt, at)));
    if (closed.count > 0) return;
    const isLater = gt(subscriptions.requestedAt, at);
    const isRunning = notInArray(subscriptions.status, ENDED_STATUSES);
    const reopened = await tx
      .update(subscriptions)
      .set({ isRequestOpen: true })
      .where(and(isRowOf(own), isLater, isRunning));
    if (reopened.count > 0) await enqueue("send-cancellation-request", own, tx);
  });
}

/** For lost jobs. */
export async function retryRequests(): Promise<void> {
  const isOpen = eq(subscriptions.isRequestOpen, true);
  const open = await selectOwn().where(and(isOpen, isRetried(subscriptions.requestedAt)));
  for (const own of open) await enqueue("send-cancellation-request", own);
}
