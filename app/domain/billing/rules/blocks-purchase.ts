import { DAY_MS } from "#app/dates.ts";
import {
  endOf,
  FINISHED_KINDS,
  type StateFacts,
  type StateKind,
  subscriptionState,
} from "#app/domain/access/subscription-state.ts";
import type { Subscription } from "#db/schema/billing.ts";
import { canKeep } from "./cancellation-state.ts";

const PURCHASE_KINDS: StateKind[] = [...FINISHED_KINDS, "unknown"];
const OVERLAP_MS = 2 * DAY_MS;
/** The first reminder comes within it. */
const NEXT_PERIOD_MS = 14 * DAY_MS;

type Facts = StateFacts & Pick<Subscription, "provider" | "renewalEndedBy">;

/** A canceled subscription blocks another until its period ends, or until its last two days if the cancellation is final. */
export function blocksPurchase(facts: Facts, now: Date): boolean {
  return !PURCHASE_KINDS.includes(subscriptionState(facts, now)) && !isSoldAgain(facts, now);
}

/** A prepaid period begins where the one before it ends. No other subscription can begin later than at its purchase, so the days overlap. */
export function isSoldAgain(facts: Facts, now: Date): boolean {
  const kind = subscriptionState(facts, now);
  if (kind === "prepaid") return endOf(facts).getTime() - now.getTime() <= NEXT_PERIOD_MS;
  return kind === "ending" && !canKeep(facts) && soldAgainFrom(facts) <= now;
}

/** Of a subscription whose end is final. */
export function soldAgainFrom(facts: Omit<StateFacts, "isCurrent">): Date {
  return new Date(endOf(facts).getTime() - OVERLAP_MS);
}
