import type { Subscription } from "#db/schema/billing.ts";
import { SUBSCRIBING_STATUSES } from "./subscription-status.ts";

/** Everything that is said and allowed of a subscription is a table by these kinds. */
export const STATE_KINDS = [
  "running",
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

export const OPEN_KINDS: StateKind[] = ["running", "ending", "renewing", "grace", "unknown"];

/** Nothing more is charged here, and nothing is open. */
export const OVER_KINDS: StateKind[] = ["ended", "expired", "unknownOver"];

export type StateFacts = Pick<
  Subscription,
  "status" | "cancelAtPeriodEnd" | "currentPeriodEnd" | "unknownSince"
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

function paidState({ cancelAtPeriodEnd, currentPeriodEnd, isCurrent }: StateFacts, now: Date): StateKind {
  const isPast = currentPeriodEnd <= now;
  if (cancelAtPeriodEnd) return isPast ? "ended" : "ending";
  if (!isPast) return "running";
  return isCurrent ? "renewing" : "unrenewed";
}
