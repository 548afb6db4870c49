import { formatDate, formatMinute } from "#app/dates.ts";
import {
  ENDED_STATUSES,
  endOf,
  isTrial,
  PAID_STATUSES,
  type StateFacts,
  subscriptionState,
  type TrialFacts,
} from "#app/domain/access/subscription-state.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { capabilitiesOf } from "../providers/contract/capabilities.ts";

export type CancellationState =
  /** `endsOn` is null while the next period is not known yet. */
  | { kind: "atPeriodEnd"; isTrial: boolean; endsOn: string | null }
  | { kind: "now"; why: "unpaid" | "unbegun" | "paused" | "paymentPending" }
  | { kind: "ending"; isTrial: boolean; endsOn: string }
  | { kind: "prepaid"; endsOn: string }
  | { kind: "over"; endedOn: string | null }
  | { kind: "unknownToProvider" };

export function cancellationState(
  subscription: Subscription & StateFacts & TrialFacts,
  now: Date,
): CancellationState {
  const { status, currentPeriodEnd, endedAt, isPaymentPending } = subscription;
  const trial = { isTrial: isTrial(subscription) };
  switch (subscriptionState(subscription, now)) {
    case "running":
    case "cardless":
      return { kind: "atPeriodEnd", ...trial, endsOn: formatDate(currentPeriodEnd) };
    case "uncollected":
      return {
        kind: "atPeriodEnd",
        ...trial,
        endsOn: currentPeriodEnd > now ? formatDate(currentPeriodEnd) : null,
      };
    case "renewing":
    case "unrenewed":
      return { kind: "atPeriodEnd", ...trial, endsOn: null };
    case "ending":
      return { kind: "ending", ...trial, endsOn: formatDate(endOf(subscription)) };
    case "prepaid":
      return { kind: "prepaid", endsOn: formatDate(endOf(subscription)) };
    case "grace":
    case "overdue":
      return { kind: "now", why: isPaymentPending ? "paymentPending" : "unpaid" };
    case "unbegun":
      return { kind: "now", why: isPaymentPending ? "paymentPending" : "unbegun" };
    case "paused":
      return { kind: "now", why: "paused" };
    case "unknown":
    case "unknownEnded":
      return { kind: "unknownToProvider" };
    case "ended":
    case "expired": {
      const end = ENDED_STATUSES.includes(status) ? endedAt : endOf(subscription);
      return { kind: "over", endedOn: end && formatDate(end) };
    }
  }
}

/** Not again, unless its last payment is due: then it can still be ended at once. Not where nothing is charged any more. */
export function canCancel(subscription: Subscription): boolean {
  const { status, cancelAtPeriodEnd, unknownSince, isPrepaid } = subscription;
  const isCanceled = ENDED_STATUSES.includes(status) || (cancelAtPeriodEnd && PAID_STATUSES.includes(status));
  return !isCanceled && !isPrepaid && unknownSince === null && cancelRequestedAt(subscription) === null;
}

/** False where a cancellation is final, also because the provider sells no more. */
export function canKeep({
  provider,
  renewalEndedBy,
}: Pick<Subscription, "provider" | "renewalEndedBy">): boolean {
  return capabilitiesOf(provider).can.keep && renewalEndedBy === null;
}

/** The site has ended the renewal, because it sells through another provider now. Its member has canceled nothing. */
export function isMoved({
  status,
  cancelAtPeriodEnd,
  renewalEndedBy,
}: Pick<Subscription, "status" | "cancelAtPeriodEnd" | "renewalEndedBy">): boolean {
  return renewalEndedBy === "site" && (cancelAtPeriodEnd || ENDED_STATUSES.includes(status));
}

/** When the owner canceled, until the provider confirms it: "21 December 2026, 14:05 UTC". Null otherwise. */
export function cancelRequestedAt(subscription: Subscription): string | null {
  const { status, requestedChange, requestedAt, cancelAtPeriodEnd, unknownSince } = subscription;
  // Without a paid period the request is to end it at once, which cancelAtPeriodEnd does not confirm.
  const isConfirmed = cancelAtPeriodEnd && PAID_STATUSES.includes(status);
  if (
    !subscription.isRequestOpen ||
    requestedChange !== "cancel" ||
    !requestedAt ||
    unknownSince ||
    isConfirmed
  )
    return null;
  return ENDED_STATUSES.includes(status) ? null : formatMinute(requestedAt);
}
