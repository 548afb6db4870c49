import type { Subscription, subscriptionStatus } from "#db/schema/subscriptions.ts";

export type SubscriptionStatus = (typeof subscriptionStatus.enumValues)[number];

type Statuses = SubscriptionStatus[];

export const ENDED_STATUSES: Statuses = ["canceled", "incomplete_expired"];

/** A trial counts as a paid period. */
export const PAID_STATUSES: Statuses = ["trialing", "active"];

export const OVERDUE_STATUSES: Statuses = ["past_due", "unpaid"];

/** Only these can give access: during the period, or during the days of grace after a failed payment. */
export const ACCESS_STATUSES: Statuses = [...PAID_STATUSES, "past_due"];

export const BEGUN_STATUSES: Statuses = [...PAID_STATUSES, ...OVERDUE_STATUSES];

/** Texts, buttons and rights of a subscription are tables by these kinds (decision 125). */
export const STATE_KINDS = [
  "running",
  /** Access goes on without payments, because their collection is paused at the provider. */
  "uncollected",
  /** A trial without a payment method: at its end it is canceled or paused, and no subscription begins. */
  "cardless",
  /** Canceled, with access until its end. */
  "ending",
  /** Paid beforehand, until its end. Nothing is charged then. */
  "prepaid",
  /** The renewal was due less than two days ago. Access goes on, because the event may be late. */
  "renewing",
  /** The renewal was due more than two days ago; no access until it is known. */
  "unrenewed",
  "grace",
  "overdue",
  /** The first payment is not completed yet. */
  "unbegun",
  "paused",
  /** The provider does not know it. Access goes on to the end of the paid period. */
  "unknown",
  "unknownEnded",
  "ended",
  /** The first payment was never completed. */
  "expired",
] as const;

export type StateKind = (typeof STATE_KINDS)[number];

export const ACCESS_KINDS: StateKind[] = [
  "running",
  "uncollected",
  "cardless",
  "ending",
  "prepaid",
  "renewing",
  "grace",
  "unknown",
];

export const FINISHED_KINDS: StateKind[] = ["ended", "expired", "unknownEnded"];

export type StateFacts = Pick<
  Subscription,
  | "status"
  | "cancelAtPeriodEnd"
  | "cancelAt"
  | "currentPeriodEnd"
  | "collectionPause"
  | "collectionResumesAt"
  | "trialEndWithoutCard"
  | "unknownSince"
  | "isPrepaid"
> & {
  /** By the database's clock: the paid period, its two days for late events, or the days of grace have not ended. */
  isCurrent: boolean;
};

export type TrialFacts = Pick<Subscription, "status"> & { hasPaid: boolean };

/** Free days after a payment are no trial, though the provider calls them one: nothing begins after them. */
export function isTrial({ status, hasPaid }: TrialFacts): boolean {
  return status === "trialing" && !hasPaid;
}

/** stateKind() is the same rule in SQL; a test compares them kind by kind. */
export function subscriptionState(facts: StateFacts, now: Date): StateKind {
  const { status, isCurrent } = facts;
  if (status === "incomplete_expired") return "expired";
  if (status === "canceled") return "ended";
  if (facts.unknownSince) return isCurrent && ACCESS_STATUSES.includes(status) ? "unknown" : "unknownEnded";
  switch (status) {
    case "paused":
      return "paused";
    case "incomplete":
      return "unbegun";
    case "unpaid":
      return "overdue";
    case "past_due":
      return isCurrent ? "grace" : "overdue";
    case "trialing":
    case "active":
      return paidState(facts, now);
  }
}

export function endOf({
  cancelAtPeriodEnd,
  cancelAt,
  currentPeriodEnd,
}: Omit<StateFacts, "isCurrent">): Date {
  return cancelAtPeriodEnd && cancelAt !== null && cancelAt < currentPeriodEnd ? cancelAt : currentPeriodEnd;
}

export function isUncollectedAt(
  { collectionPause, collectionResumesAt }: Pick<StateFacts, "collectionPause" | "collectionResumesAt">,
  due: Date,
): boolean {
  return collectionPause !== null && (collectionResumesAt === null || collectionResumesAt > due);
}

function isCardlessTrial({
  status,
  trialEndWithoutCard,
}: Pick<StateFacts, "status" | "trialEndWithoutCard">): boolean {
  return status === "trialing" && trialEndWithoutCard !== null;
}

/** A pause of the collection does not count. */
export function renews(
  facts: Pick<StateFacts, "status" | "cancelAtPeriodEnd" | "trialEndWithoutCard" | "isPrepaid">,
): boolean {
  const ends = facts.isPrepaid || facts.cancelAtPeriodEnd || isCardlessTrial(facts);
  return PAID_STATUSES.includes(facts.status) && !ends;
}

function paidState(facts: StateFacts, now: Date): StateKind {
  const { cancelAtPeriodEnd, currentPeriodEnd, isCurrent } = facts;
  if (facts.isPrepaid) return endOf(facts) > now ? "prepaid" : "ended";
  if (cancelAtPeriodEnd) return endOf(facts) > now ? "ending" : "ended";
  const isPast = currentPeriodEnd <= now;
  if (!isPast && isCardlessTrial(facts)) return "cardless";
  if (isCurrent && isUncollectedAt(facts, isPast ? now : currentPeriodEnd)) return "uncollected";
  if (isPast) return isCurrent ? "renewing" : "unrenewed";
  return "running";
}
