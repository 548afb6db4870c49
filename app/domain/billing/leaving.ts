import type { SubscriptionStatus } from "./access.ts";
import { dayWords, minuteWords } from "./day-words.ts";

interface Wished {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  unknownSince?: Date | null;
  wish?: "cancel" | "keep" | null;
  wishedAt?: Date | null;
  isWishOpen?: boolean;
}

interface Subscription {
  status: SubscriptionStatus;
  currentPeriodEnd: Date;
  cancelAtPeriodEnd: boolean;
  cancelAt: Date | null;
  endedAt: Date | null;
  unknownSince?: Date | null;
  isPaymentPending: boolean;
}

/** What cancelling means for a subscription now. */
export type Leaving =
  /** `endsOn` is null while the period that follows is not known yet. */
  | { kind: "atPeriodEnd"; isTrial: boolean; endsOn: string | null }
  /** Nothing is paid that could be waited for. */
  | { kind: "now"; why: "unpaid" | "unbegun" | "paused" | "onItsWay" }
  /** Cancelled already, and still open. */
  | { kind: "ending"; isTrial: boolean; endsOn: string }
  | { kind: "over"; endedOn: string | null }
  /** Whoever takes the payments does not know it. */
  | { kind: "elsewhere" };

export function leavingOf(subscription: Subscription, now = new Date()): Leaving {
  const { status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd, endedAt, isPaymentPending } = subscription;
  if (status === "canceled" || status === "incomplete_expired") {
    return { kind: "over", endedOn: endedAt && dayWords(endedAt) };
  }
  if (subscription.unknownSince) return { kind: "elsewhere" };
  if (status === "paused") return { kind: "now", why: "paused" };
  if (isPaymentPending && status !== "active") return { kind: "now", why: "onItsWay" };
  if (status === "incomplete") return { kind: "now", why: "unbegun" };
  if (status !== "trialing" && status !== "active") return { kind: "now", why: "unpaid" };
  const isTrial = status === "trialing";
  const isPast = currentPeriodEnd <= now;
  if (!cancelAtPeriodEnd) {
    return { kind: "atPeriodEnd", isTrial, endsOn: isPast ? null : dayWords(currentPeriodEnd) };
  }
  if (isPast) return { kind: "over", endedOn: dayWords(currentPeriodEnd) };
  return { kind: "ending", isTrial, endsOn: dayWords(cancelAt ?? currentPeriodEnd) };
}

/**
 * When its owner has cancelled what whoever takes the payments does not know to be cancelled yet, and is to be told of:
 * "21 December 2026, 14:05 UTC". Null when there is no such thing.
 */
export function cancelAskedAt(subscription: Wished): string | null {
  const { status, wish, wishedAt, isWishOpen, cancelAtPeriodEnd, unknownSince } = subscription;
  if (!isWishOpen || wish !== "cancel" || !wishedAt || unknownSince || cancelAtPeriodEnd) return null;
  return status === "canceled" || status === "incomplete_expired" ? null : minuteWords(wishedAt);
}
