import type { Subscription, subscriptionStatus } from "#db/schema/billing.ts";

export type SubscriptionStatus = (typeof subscriptionStatus.enumValues)[number];

type Statuses = SubscriptionStatus[];

/** A subscription never leaves these statuses. */
export const ENDED_STATUSES: Statuses = ["canceled", "incomplete_expired"];

export const PAID_STATUSES: Statuses = ["trialing", "active"];

export const OVERDUE_STATUSES: Statuses = ["past_due", "unpaid"];

/** These give access during the period, and during the grace days after a failed payment. */
export const SUBSCRIBING_STATUSES: Statuses = [...PAID_STATUSES, "past_due"];

/** The first period has started and the subscription has not ended. */
export const BEGUN_STATUSES: Statuses = [...PAID_STATUSES, ...OVERDUE_STATUSES];

/** Everything that is said and allowed of a subscription is a table by these kinds. */
export const STATE_KINDS = [
  "running",
  /** Paid-for time goes on without payments, because their collection is paused at the provider. */
  "uncollected",
  /** A trial without a payment method, which begins no subscription. */
  "cardless",
  /** Cancelled, and its end is still to come. */
  "ending",
  /** The renewal is due, and a late event shuts nobody out. */
  "renewing",
  "unrenewed",
  /** The days after a failed payment in which access continues. */
  "grace",
  "overdue",
  /** The first payment is not completed. */
  "unbegun",
  "paused",
  /** The provider does not know it; what is paid stays open. */
  "unknown",
  "unknownOver",
  "ended",
  /** The first payment was never completed. */
  "expired",
] as const;

export type StateKind = (typeof STATE_KINDS)[number];

export const OPEN_KINDS: StateKind[] = [
  "running",
  "uncollected",
  "cardless",
  "ending",
  "renewing",
  "grace",
  "unknown",
];

/** Nothing more is charged here, and nothing is open. */
export const OVER_KINDS: StateKind[] = ["ended", "expired", "unknownOver"];

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
> & {
  /** By the database's clock: the paid period, its two days for late events, or the days of grace have not ended. */
  isCurrent: boolean;
};

/** The same as stateKind() says in SQL. */
export function subscriptionState(facts: StateFacts, now: Date): StateKind {
  const { status, isCurrent } = facts;
  if (status === "incomplete_expired") return "expired";
  if (status === "canceled") return "ended";
  if (facts.unknownSince)
    return isCurrent && SUBSCRIBING_STATUSES.includes(status) ? "unknown" : "unknownOver";
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

/** A cancelled one may end within its period. */
export function endOf({
  cancelAtPeriodEnd,
  cancelAt,
  currentPeriodEnd,
}: Omit<StateFacts, "isCurrent">): Date {
  return cancelAtPeriodEnd && cancelAt !== null && cancelAt < currentPeriodEnd ? cancelAt : currentPeriodEnd;
}

/** Whether a payment that is due then is not collected. */
export function isUncollectedAt(
  { collectionPause, collectionResumesAt }: Pick<StateFacts, "collectionPause" | "collectionResumesAt">,
  due: Date,
): boolean {
  return collectionPause !== null && (collectionResumesAt === null || collectionResumesAt > due);
}

/** Such a trial ends or is paused at its end, whether or not payments are collected. */
function isCardlessTrial({
  status,
  trialEndWithoutCard,
}: Pick<StateFacts, "status" | "trialEndWithoutCard">): boolean {
  return status === "trialing" && trialEndWithoutCard !== null;
}

/** Whether the end of the period brings another charge, unless their collection is paused. */
export function renews(
  facts: Pick<StateFacts, "status" | "cancelAtPeriodEnd" | "trialEndWithoutCard">,
): boolean {
  return PAID_STATUSES.includes(facts.status) && !facts.cancelAtPeriodEnd && !isCardlessTrial(facts);
}

function paidState(facts: StateFacts, now: Date): StateKind {
  const { cancelAtPeriodEnd, currentPeriodEnd, isCurrent } = facts;
  if (cancelAtPeriodEnd) return endOf(facts) > now ? "ending" : "ended";
  const isPast = currentPeriodEnd <= now;
  if (!isPast && isCardlessTrial(facts)) return "cardless";
  if (isCurrent && isUncollectedAt(facts, isPast ? now : currentPeriodEnd)) return "uncollected";
  if (isPast) return isCurrent ? "renewing" : "unrenewed";
  return "running";
}
