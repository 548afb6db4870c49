import {
  FINISHED_KINDS,
  type StateFacts,
  type StateKind,
  subscriptionState,
} from "#app/domain/access/subscription-state.ts";
import { canCancel } from "../rules/cancellation-state.ts";
import { formatPrice } from "../rules/format-money.ts";
import { nextStep } from "../rules/next-step.ts";
import { subscriptionSentence } from "../rules/subscription-sentence.ts";
import type { CurrentSubscription } from "./current-subscription.server.ts";

/** A canceled subscription blocks another until its period ends. */
const PURCHASE_KINDS: StateKind[] = [...FINISHED_KINDS, "unknown"];

export function blocksPurchase(facts: StateFacts, now: Date): boolean {
  return !PURCHASE_KINDS.includes(subscriptionState(facts, now));
}

export type CurrentPlan = NonNullable<ReturnType<typeof currentPlan>>;
type State = "open" | "unrenewed" | "overdue" | "unbegun" | "paymentPending" | "paused";

export function currentPlan(
  subscription: CurrentSubscription | null,
  { now, hasPortal }: { now: Date; hasPortal: boolean },
) {
  if (subscription === null || !blocksPurchase(subscription, now)) return null;
  const { price } = subscription;
  return {
    name: price.product.name,
    price: formatPrice(price),
    sentence: subscriptionSentence(subscription, now),
    next: nextStep(subscription, now),
    state: stateOf(subscriptionState(subscription, now), subscription.isPaymentPending),
    canCancel: canCancel(subscription),
    hasPortal,
  };
}

function stateOf(state: StateKind, isPaymentPending: boolean): State {
  switch (state) {
    case "unbegun":
      return isPaymentPending ? "paymentPending" : "unbegun";
    case "grace":
    case "overdue":
      return isPaymentPending ? "paymentPending" : "overdue";
    case "unrenewed":
      return isPaymentPending ? "paymentPending" : "unrenewed";
    case "paused":
      return "paused";
    default:
      // While a bank transfer for the renewal is on its way, the subscription stays active for a while.
      return "open";
  }
}
