import { DAY_MS } from "#app/dates.ts";
import {
  endOf,
  FINISHED_KINDS,
  type StateFacts,
  type StateKind,
  subscriptionState,
} from "#app/domain/access/subscription-state.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { canKeep } from "./cancellation-state.ts";

const PURCHASE_KINDS: StateKind[] = [...FINISHED_KINDS, "unknown"];
const OVERLAP_MS = 2 * DAY_MS;
/** The first reminder comes within it. */
const NEXT_PERIOD_MS = 14 * DAY_MS;

/** The name of the provider that sells now. */
export type Seller = string | null;
type Facts = StateFacts & Pick<Subscription, "isPrepaid" | "provider" | "renewalEndedBy">;

/** A canceled subscription blocks another until its period ends, or until its last two days if the cancellation is final. A prepaid one does until the next period is sold. */
export function blocksPurchase(facts: Facts, now: Date, seller: Seller): boolean {
  return !PURCHASE_KINDS.includes(subscriptionState(facts, now)) && !isSoldAgain(facts, now, seller);
}

export function isSoldAgain(facts: Facts, now: Date, seller: Seller): boolean {
  const kind = subscriptionState(facts, now);
  if (kind !== "prepaid" && (kind !== "ending" || canKeep(facts))) return false;
  if (isLengthenedBy(facts, seller)) return endOf(facts).getTime() - now.getTime() <= NEXT_PERIOD_MS;
  return soldAgainFrom(facts) <= now;
}

/** Whether what is bought now begins where this one ends. Any other subscription begins at its purchase, so the days overlap. */
export function isLengthenedBy(
  { isPrepaid, provider }: Pick<Subscription, "isPrepaid" | "provider">,
  seller: Seller,
): boolean {
  return isPrepaid && provider === seller;
}

/** Of a subscription whose end is final, where the next one begins at its purchase. */
export function soldAgainFrom(facts: Omit<StateFacts, "isCurrent">): Date {
  return new Date(endOf(facts).getTime() - OVERLAP_MS);
}
