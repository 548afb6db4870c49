import { formatDate, formatMinute } from "#app/dates.ts";
import { ENDED_STATUSES, PAID_STATUSES } from "#app/domain/access/subscription-status.ts";
import type { Subscription } from "#db/schema/billing.ts";

export type CancellationState =
  /** `endsOn` is null while the next period is not known yet. */
  | { kind: "atPeriodEnd"; isTrial: boolean; endsOn: string | null }
  | { kind: "now"; why: "unpaid" | "unbegun" | "paused" | "onItsWay" }
  | { kind: "ending"; isTrial: boolean; endsOn: string }
  | { kind: "over"; endedOn: string | null }
  | { kind: "unknownToProvider" };

export function cancellationState(subscription: Subscription, now: Date): CancellationState {
  const { status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd, endedAt, isPaymentPending } = subscription;
  if (ENDED_STATUSES.includes(status)) {
    return { kind: "over", endedOn: endedAt && formatDate(endedAt) };
  }
  if (subscription.unknownSince) return { kind: "unknownToProvider" };
  if (status === "paused") return { kind: "now", why: "paused" };
  if (isPaymentPending && status !== "active") return { kind: "now", why: "onItsWay" };
  if (status === "incomplete") return { kind: "now", why: "unbegun" };
  if (!PAID_STATUSES.includes(status)) return { kind: "now", why: "unpaid" };
  const isTrial = status === "trialing";
  const isPast = currentPeriodEnd <= now;
  if (!cancelAtPeriodEnd) {
    return { kind: "atPeriodEnd", isTrial, endsOn: isPast ? null : formatDate(currentPeriodEnd) };
  }
  if (isPast) return { kind: "over", endedOn: formatDate(currentPeriodEnd) };
  return { kind: "ending", isTrial, endsOn: formatDate(cancelAt ?? currentPeriodEnd) };
}

/** When the owner cancelled, while the provider has not confirmed it: "21 December 2026, 14:05 UTC". Null otherwise. */
export function cancelRequestedAt(subscription: Subscription): string | null {
  const { status, requestedChange, requestedAt, cancelAtPeriodEnd, unknownSince } = subscription;
  if (
    !subscription.isRequestOpen ||
    requestedChange !== "cancel" ||
    !requestedAt ||
    unknownSince ||
    cancelAtPeriodEnd
  )
    return null;
  return ENDED_STATUSES.includes(status) ? null : formatMinute(requestedAt);
}
