import {
  endOf,
  FINISHED_KINDS,
  type StateFacts,
  type StateKind,
  subscriptionState,
} from "#app/domain/access/subscription-state.ts";
import type { Subscription } from "#db/schema/billing.ts";
import { capabilitiesOf } from "../providers/contract/capabilities.ts";

const PURCHASE_KINDS: StateKind[] = [...FINISHED_KINDS, "unknown"];
const OVERLAP_MS = 48 * 3_600_000;

type Facts = StateFacts & Pick<Subscription, "provider">;

/** A canceled subscription blocks another until its period ends, or until its last two days if the cancellation is final. */
export function blocksPurchase(facts: Facts, now: Date): boolean {
  return !PURCHASE_KINDS.includes(subscriptionState(facts, now)) && !isSoldAgain(facts, now);
}

/** No provider can begin a subscription later than at its purchase, so the days overlap. */
export function isSoldAgain(facts: Facts, now: Date): boolean {
  if (capabilitiesOf(facts.provider).can.keep || subscriptionState(facts, now) !== "ending") return false;
  return endOf(facts).getTime() - now.getTime() <= OVERLAP_MS;
}
