import { type StateFacts, type StateKind, subscriptionState } from "#app/domain/access/subscription-state.ts";

/** A cancelled one blocks until its period ends, confirmed or not; one unknown to the provider never does. */
const SELLS: StateKind[] = ["ended", "expired", "unknown", "unknownOver"];

export function blocksPurchase(facts: StateFacts, now: Date): boolean {
  return !SELLS.includes(subscriptionState(facts, now));
}
